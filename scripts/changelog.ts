/** What CHANGELOG.md says about a version. Pure. */

/** @returns the section under `## VERSION`, with or without brackets and a date; null when there is none, or nothing in it */
export function sectionOf(changelog: string, version: string): string | null {
  const [, ...sections] = `\n${changelog}`.split(/\n## +/)
  const section = sections.find((text) => headingVersion(text) === version)
  const body = section?.slice(section.indexOf('\n') + 1).trim() ?? ''
  return section?.includes('\n') && body !== '' ? body : null
}

/**
 * For a page outside the repository, where paths lead nowhere.
 * @returns the text in which links to other files are only their words, with the path where that is something else
 */
export function withoutRelativeLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\((?![a-z][a-z0-9+.-]*:)([^)\s]+)\)/gi, (_, words: string, path: string) =>
    words === path ? words : `${words} (${path})`,
  )
}

function headingVersion(section: string): string | undefined {
  return /^\[?([^\s\]]+)\]?/.exec(section)?.[1]
}

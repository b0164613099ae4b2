/** Reads the section of a version from CHANGELOG.md. Pure. */

/** @returns the section under `## VERSION`, with or without brackets and a date; null when it is missing or empty */
export function sectionOf(changelog: string, version: string): string | null {
  const [, ...sections] = `\n${changelog}`.split(/\n## +/)
  const section = sections.find((text) => headingVersion(text) === version)
  const body = section?.slice(section.indexOf('\n') + 1).trim() ?? ''
  return section?.includes('\n') && body !== '' ? body : null
}

/**
 * Removes links to other files, for release notes outside the repository.
 * @returns the text with each such link as its words, followed by the path where that differs
 */
export function withoutRelativeLinks(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\((?![a-z][a-z0-9+.-]*:)([^)\s]+)\)/gi, (_, words: string, path: string) =>
    words === path ? words : `${words} (${path})`,
  )
}

function headingVersion(section: string): string | undefined {
  return /^\[?([^\s\]]+)\]?/.exec(section)?.[1]
}

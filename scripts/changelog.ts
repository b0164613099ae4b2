/** What CHANGELOG.md says about a version. Pure. */

/** @returns the section under `## VERSION`, with or without brackets and a date; null when there is none, or nothing in it */
export function sectionOf(changelog: string, version: string): string | null {
  const [, ...sections] = `\n${changelog}`.split(/\n## +/)
  const section = sections.find((text) => headingVersion(text) === version)
  const body = section?.slice(section.indexOf('\n') + 1).trim() ?? ''
  return section?.includes('\n') && body !== '' ? body : null
}

function headingVersion(section: string): string | undefined {
  return /^\[?([^\s\]]+)\]?/.exec(section)?.[1]
}

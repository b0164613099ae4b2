import { expect, test } from 'bun:test'
import { sectionOf, withoutRelativeLinks } from '../../scripts/changelog.ts'

const CHANGELOG = `# Changelog

All notable changes.

## Unreleased

## [1.2.0] - 2026-11-21

### Added
- Badges.

## 1.1.0 – 2026-10-01
### Fixed
- Pings.

## 1.1.0-rc.1

`

test('the section of a version is the text between its heading and the next', () => {
  expect(sectionOf(CHANGELOG, '1.2.0')).toBe('### Added\n- Badges.')
  expect(sectionOf(CHANGELOG, '1.1.0')).toBe('### Fixed\n- Pings.')
})

test.each(['1.3.0', '1.2', '1.1.0-rc.1', 'Unreleased', '[1.2.0]'])('%s has no section or an empty one', (version) => {
  expect(sectionOf(CHANGELOG, version)).toBeNull()
})

test('links to files become text with the path, and links to web pages stay', () => {
  const page = '[Keep a Changelog](https://keepachangelog.com)'
  const text = `See [docs/a.md](docs/a.md), [how](docs/b.md#part) and [above](#part), in the manner of ${page}.`
  expect(withoutRelativeLinks(text)).toBe(
    `See docs/a.md, how (docs/b.md#part) and above (#part), in the manner of ${page}.`,
  )
})

import { describe, expect, test } from 'bun:test'
import { createHref, localPath, projectPath } from '../../../src/http/web/href.ts'

const fileAt = (name: string) => `/assets/${name}`

test('a link gets the path of SITE_ROOT, not its host', () => {
  expect(createHref('https://example.org', fileAt)('/projects')).toBe('/projects')
  expect(createHref('https://example.org/tools/watch', fileAt)('/projects?q=x')).toBe('/tools/watch/projects?q=x')
  expect(createHref('https://example.org/tools/watch', fileAt).asset('wall.js')).toBe('/tools/watch/assets/wall.js')
})

test('the slug in a path is escaped', () => {
  expect(projectPath('a/../b?c', 'checks')).toBe('/p/a%2F..%2Fb%3Fc/checks')
})

describe('where to go after a sign-in', () => {
  test.each(['/', '/projects', '/p/books/checks?status=down&q=%2F%2Fx', '/p/b%C3%BCcher/checks'])(
    '%s is a place here',
    (path) => {
      expect(localPath(path)).toBe(path)
    },
  )

  test.each([
    null,
    '',
    'projects',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/x\\..\\..\\evil',
    '\\\\evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
  ])('%j is none', (path) => {
    expect(localPath(path)).toBeNull()
  })
})

/** Strips of runs: the drawing for each letter. */
import { expect, test } from 'bun:test'
import { stripPaths } from '../../../../src/http/web/browser/strip-paths.ts'
import { strip } from '../../../../src/http/web/parts/strip.ts'

test('the newest run is at the right, and each look is one path', () => {
  expect(stripPaths('aPp0123')).toEqual([
    ['ok', 'M94 19v-2M102 19v-16'],
    ['lt', 'M98 19v-16M98 21v3'],
    ['ms', 'M104.5 23.5v-8h2v8z'],
    ['fl', 'M110 24v-20'],
    ['rn', 'M114 19v-8'],
    ['ps', 'M118 19v-2'],
  ])
  expect(stripPaths('h'.repeat(30))[0]?.[1]).toStartWith('M2 19v-8M6 ')
})

test('other letters are not drawn', () => {
  expect(stripPaths('<q')).toEqual([])
})

test('a strip says in words what it shows', () => {
  expect(strip('h0', '1 missing').text).toContain('role="img" aria-label="Last 2 runs: 1 missing">')
  expect(strip('h', '1 on time').text).toContain('aria-label="Last 1 run: 1 on time">')
  expect(strip('', '').text).toContain('aria-label="No runs yet"')
})

import { expect, test } from 'bun:test'
import { linesOf, unifiedDiff } from '../../../src/lib/text/line-diff.ts'
import { temporaryFolder } from '../../support/folder.ts'

const diffOf = (before: string, after: string) =>
  unifiedDiff({ before: linesOf(before), after: linesOf(after) }, 'file')

test('a text without changes has an empty diff', () => {
  expect(diffOf('a\nb\n', 'a\nb\n')).toBe('')
  expect(diffOf('', '')).toBe('')
})

test('changed lines stand between three lines that are not, and hunks that touch are one', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`)
  const after = lines.with(1, 'two\n').with(9, 'ten\n').with(18, 'nineteen')
  expect(unifiedDiff({ before: lines, after }, 'f')).toBe(
    [
      ...['--- f', '+++ f', '@@ -1,5 +1,5 @@', ' 1', '-2', '+two', ' 3', ' 4', ' 5'],
      ...['@@ -7,7 +7,7 @@', ' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13'],
      ...['@@ -16,5 +16,5 @@', ' 16', ' 17', ' 18', '-19', '+nineteen', '\\ No newline at end of file', ' 20', ''],
    ].join('\n'),
  )
})

test('the lines of a text keep their line ends, and are the text again', () => {
  for (const text of ['', '\n', 'a', 'a\n', '\r\n\n a\n\tb']) expect(linesOf(text).join('')).toBe(text)
})

const patch = Bun.which('patch')

test.skipIf(patch === null)('patch makes the new text of the old one', async () => {
  for (const [before, after] of [
    ['a\nb\nc\nd\ne\nf\ng\nh\ni\n', 'a\nB\nc\nd\ne\nf\ng\nh\nI\n'],
    ['a\nb', 'a\nc'],
    ['only', 'one'],
    ['\u00e9\r\n\n\n\nz\n', '\u00e9\r\n\n\n\ny\n'],
  ] as const) {
    const input = `Some words before it.\n\n${diffOf(before, after)}`
    const folder = temporaryFolder()
    const path = folder.file('file')
    await Bun.write(path, before)
    const child = Bun.spawn([patch ?? '', '--quiet', path], {
      stdin: Buffer.from(input),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    expect([await child.exited, await child.stderr.text()]).toEqual([0, ''])
    expect(await Bun.file(path).text()).toBe(after)
    folder.remove()
  }
})

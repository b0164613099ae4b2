/** The scanner behind the architecture test. A scanner that misses imports would make that test pass always. */
import { expect, test } from 'bun:test'
import { scan } from './source-scan.ts'

const read = (text: string) => scan({ path: 'domain/a.ts', text })

test('every form of import is found, each module once', () => {
  const text = `import {
  a,
  type B,
} from './b.ts'
import x, { y } from 'p'
export { z } from './b.ts'
import 'q'
export * from './c.ts'
const d = await import('./d.ts')
type T = import('../t.ts').T`
  expect(read(text).files).toEqual(['domain/b.ts', 'domain/c.ts', 'domain/d.ts', 't.ts'])
  expect(read(text).modules).toEqual(['p', 'q'])
})

test('what is loaded with it is told apart from types, and from what is loaded on demand', () => {
  const text = `import { a, type B } from './a.ts'
import type { C } from './c.ts'
export type { D } from './d.ts'
export { e } from './e.ts'
import './f.ts'
const g = async () => (await import('./g.ts')).g
type H = import('./h.ts').H`
  expect(read(text).loads).toEqual(['domain/a.ts', 'domain/e.ts', 'domain/f.ts'])
})

test('imports in comments and strings are ignored', () => {
  const { files, modules } = read(`// import a from './a.ts'\nconst text = "import b from './b.ts'"`)
  expect([...files, ...modules]).toEqual([])
})

test('quotes in comments, regular expressions and templates do not confuse it', () => {
  const text = [
    "// don't",
    "const a = /['\"`/*]/.test(x) ? 1 / 2 : b / c // it's",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
    "const d = `it's ${e ? `'${f}'` : '}'} \\` //`",
    "import { g } from './g.ts'",
  ].join('\n')
  const { files, strings, code } = read(text)
  expect(files).toEqual(['domain/g.ts'])
  expect(strings).toContain("it's … \\` //")
  expect(code).not.toContain("'")
})

test('code inside a template counts as code', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
  expect(read('`a ${b(`${process.env.X}`)} c`').code).toContain('process.env.X')
})

test('an unterminated literal is an error', () => {
  expect(() => read("const a = 'x")).toThrow('does not end')
  expect(() => read('const a = `x')).toThrow('does not end')
})

/** The scanner that the architecture test relies upon: what it finds, and what must not mislead it. */
import { expect, test } from 'bun:test'
import { scan } from './source-scan.ts'

const read = (text: string) => scan({ path: 'domain/a.ts', text })

test('imports are found over several lines and among other code, each once', () => {
  const text = `import {
  a,
  type B,
} from './b.ts'
import x, { y } from 'p'
export { z } from './b.ts'
import 'q'
type T = import('../t.ts').T`
  expect(read(text).files).toEqual(['domain/b.ts', 't.ts'])
  expect(read(text).modules).toEqual(['p', 'q'])
})

test('an import in a comment or in a string is none', () => {
  const { files, modules } = read(`// import a from './a.ts'\nconst text = "import b from './b.ts'"`)
  expect([...files, ...modules]).toEqual([])
})

test('quotes in comments, regular expressions and templates do not lead astray', () => {
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

test('code within a template is code', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
  expect(read('`a ${b(`${process.env.X}`)} c`').code).toContain('process.env.X')
})

test('a literal that does not end is told rather than guessed', () => {
  expect(() => read("const a = 'x")).toThrow('does not end')
  expect(() => read('const a = `x')).toThrow('does not end')
})

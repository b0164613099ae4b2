import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { documentOfFile, findDocument, HELP } from '../../src/help/documents.ts'
import { sectionsOf } from '../../src/help/sections.ts'

const ROOT = join(import.meta.dir, '../..')
const all = HELP.flatMap(({ documents }) => documents)

test('every document of the repository has a page', () => {
  const files = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  expect(files.length).toBeGreaterThan(15)
  expect(files.filter((name) => documentOfFile(`docs/${name}`) === null)).toEqual([])
  expect([documentOfFile('README.md')?.name, documentOfFile('CHANGELOG.md')?.name]).toEqual(['overview', 'changelog'])
})

test('each has a name of its own, and its first heading as title', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  expect(findDocument('backup')?.title).toMatch(/^[A-Z].+/)
  expect(all.filter(({ name, title }) => name === title)).toEqual([])
  expect([findDocument('unknown'), documentOfFile('deploy/compose.yaml')]).toEqual([null, null])
})

test('no two headings of a document have the same anchor', () => {
  const twice = all.filter(({ text }) => {
    const anchors = sectionsOf(text).map(({ anchor }) => anchor)
    return new Set(anchors).size < anchors.length
  })
  // Each version of the changelog has the same headings.
  expect(twice.map(({ name }) => name).filter((name) => name !== 'changelog')).toEqual([])
})

test('none holds what a merge has left behind', () => {
  expect(all.filter(({ text }) => /^(?:<{7} |={7}$|>{7} )/m.test(text)).map(({ name }) => name)).toEqual([])
})

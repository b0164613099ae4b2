import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CHECK_FIELDS, writtenFields } from '../../src/domain/check/fields.ts'
import { documentOfFile, findDocument, HELP } from '../../src/help/documents.ts'
import { sectionsOf } from '../../src/help/sections.ts'
import { ADDED } from '../conformance/not-yet.ts'
import { commandsOf, ROOT, SET_UPS } from '../support/set-ups.ts'

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
  expect([findDocument('unknown'), documentOfFile('deploy/container/compose.yaml')]).toEqual([null, null])
})

test('the fields of a check are in the documents of the API, and those that Healthchecks lacks among the differences', () => {
  const lacking = (file: string, names: readonly string[]) =>
    names.filter((name) => documentOfFile(file)?.text.includes(`\`${name}\``) !== true)
  expect(
    lacking(
      'docs/api.md',
      Object.values(writtenFields(CHECK_FIELDS)).map(({ wire }) => wire),
    ),
  ).toEqual([])
  expect(lacking('docs/compatibility.md', [...ADDED])).toEqual([])
})

test('no two headings of a document have the same anchor', () => {
  const twice = all.filter(({ text }) => {
    const anchors = sectionsOf(text).map(({ anchor }) => anchor)
    return new Set(anchors).size < anchors.length
  })
  // Each version of the changelog has the same headings.
  expect(twice.map(({ name }) => name).filter((name) => name !== 'changelog')).toEqual([])
})

test('each picture is shown by a document, and each that one shows is there', () => {
  const shown = all.flatMap(({ text }) =>
    [...text.matchAll(/!\[[^\]]+\]\((?:docs\/)?screenshots\/([\w-]+\.png)\)/g)].map(([, name]) => name),
  )
  const files = readdirSync(join(ROOT, 'docs/screenshots'))
  expect([...new Set(shown)].toSorted()).toEqual(files.toSorted())
})

test('none holds what a merge has left behind', () => {
  expect(all.filter(({ text }) => /^(?:<{7} |={7}$|>{7} )/m.test(text)).map(({ name }) => name)).toEqual([])
})

describe('every file and folder of the program that is named is there', () => {
  const folders = ['.ci', 'bench', 'deploy', 'docs', 'scripts', 'src', 'test', 'test-slow'].map((name) => `${name}/**`)
  const paths = ['*', ...folders].flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })])
  // `log.ts` and `store/pings/` are enough: where a path begins follows from what the text is about.
  const ends = new Set(paths.flatMap((path) => parentsOf(path).flatMap(endsOf)))
  const absent = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)]
      .map(([, path, imported]) => path ?? imported ?? '')
      .filter((path) => !ends.has(path.replace(/\/$/, '')))

  test('in documents', () => {
    const PATH = /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|sql)|[a-z][\w-]*\/(?:[\w-]+\/)*)`|from '[./]+([^']+)'/g
    const documents = paths.filter((path) => /^(?:docs\/|bench\/)?[\w-]+\.md$/.test(path) && path !== 'CHANGELOG.md')
    expect(documents.length).toBeGreaterThan(20)
    expect(documents.flatMap((path) => absent(read(path), PATH).map((name) => `${path}: ${name}`))).toEqual([])
    const text =
      "`domain/check/gone.ts`, `check.ts`, `domain/gone/`, `store/pings/`, import { x } from '../lib/gone.ts'"
    expect(absent(text, PATH)).toEqual(['domain/check/gone.ts', 'domain/gone/', 'lib/gone.ts'])
  })

  test('in comments', () => {
    const PATH = /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|sql))`/g
    const sources = paths.filter((path) => /^src\/.*\.(?:ts|sql)$/.test(path))
    expect(sources.flatMap((path) => absent(read(path), PATH).map((name) => `${path}: ${name}`))).toEqual([])
  })
})

describe('the changelog', () => {
  const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
  const WIDTH = 174
  const [, ...sections] = read('CHANGELOG.md').split(/^## /m)
  const versions = sections.map((section) => section.slice(0, section.indexOf('\n')))

  test('has what is not released first, then each version with its date, the newest first', () => {
    const released = versions[0] === 'Unreleased' ? versions.slice(1) : versions
    expect(released.filter((title) => !/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/.test(title))).toEqual([])
    const dates = released.map((title) => title.split(' - ')[1] ?? '')
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  test.each(versions)('has for %s the kinds of changes in their order, each once and with changes', (version) => {
    const [, ...kinds] = (sections[versions.indexOf(version)] ?? '').split(/^### /m)
    const titles = kinds.map((kind) => kind.slice(0, kind.indexOf('\n')))
    expect(titles).toEqual(KINDS.filter((kind) => titles.includes(kind)))
    expect(kinds.filter((kind) => !/^- /m.test(kind))).toEqual([])
  })

  test('says each change in sentences, in lines that fit an editor', () => {
    const text = read('CHANGELOG.md')
    expect(text.split('\n').filter((line) => line.length > WIDTH)).toEqual([])
    const changes = text.match(/^- .*(?:\n {2}.*)*/gm) ?? []
    expect(changes.filter((change) => !/[.”"]$/.test(change))).toEqual([])
  })
})

describe('the examples in deploy/', () => {
  test('are all named by its README', () => {
    const named = [...read('deploy/README.md').matchAll(/\]\(([\w-]+)\)/g)].map(([, name]) => name)
    expect(named.toSorted()).toEqual([...SET_UPS, 'jobs'].toSorted())
  })

  test.each(SET_UPS)('try %s with three commands, whose files are there', (setUp) => {
    const commands = commandsOf(setUp)
    expect(commands).toHaveLength(3)
    const files = commands.flatMap((line) => line.match(/(?<!> )\bdeploy\/[\w./-]+/g) ?? [])
    expect(files).not.toEqual([])
    expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('link to files that are there', () => {
    const readmes = [...new Bun.Glob('deploy/**/README.md').scanSync({ cwd: ROOT })]
    expect(readmes.length).toBeGreaterThan(10)
    const links = readmes.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = '']) => join(dirname(path), to)),
    )
    expect(links.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Returns a path and its folders: `src/lib/time.ts`, `src/lib`, `src`. */
function parentsOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(0, names.length - index).join('/'))
}

/** Returns `src/lib/time.ts`, `lib/time.ts`, `time.ts`. */
function endsOf(path: string): readonly string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(index).join('/'))
}

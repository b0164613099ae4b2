/** Rules of the source tree: permitted imports, words that belong to one room only, and the shape of the tree. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { proseViolations } from './support/architecture/prose.ts'
import { isWithin, roomViolations, unusedPermissions, type Violation } from './support/architecture/rooms.ts'
import { circleViolations, crowdViolations, partViolations } from './support/architecture/shape.ts'
import { reservedViolations, unusedReservations } from './support/architecture/words.ts'
import { readSources, type Scanned, type Source, scan } from './support/source-scan.ts'

/** Uses of the store: `deps.store` and `{ store }`. Passing the whole dependencies on, or naming the type in a string, is no use. */
const TOUCHES_STORE = /\.\s*store\b|[{,]\s*store\s*[,:}]/

/** Permitted violations. One that no longer occurs must be removed from the table. */
const EXCEPTIONS: readonly { readonly file: string; readonly found: string; readonly reason: string }[] = [
  { file: 'transports', found: 'more than 20 files', reason: 'one for each kind of channel, and the list of them' },
  {
    file: 'domain/ping/curl.ts',
    found: ' --retry',
    reason: 'an option of curl, in commands that pings are added to',
  },
  {
    file: 'domain/ping/curl.ts',
    found: ' --data',
    reason: 'an option of curl, in lines that people copy into their jobs',
  },
  {
    file: 'import/proposals/command/hidden-status.ts',
    found: ' --wait',
    reason: 'an option of systemd-run, which makes it tell the exit status of what it begins',
  },
  {
    file: 'import/proposals/command/hidden-status.ts',
    found: '`--wait',
    reason: 'an option of systemctl, which makes it wait for the end of what it starts',
  },
  {
    file: 'import/proposals/command/hidden-status.ts',
    found: '`--check',
    reason: 'the beginning of an option of HTTPie, which makes it fail when the server answers with an error',
  },
  {
    file: 'import/proposals/pinging-already.ts',
    found: '--hcp',
    reason: 'the beginning of an option of another program that pings',
  },
]

/** Modules that only commands that need them may load: help and wrong words must be answered at once. */
const HEAVY = [
  ...['services', 'store', 'http', 'transports', 'delivery', 'smtp', 'loops', 'telemetry', 'config'],
  ...['app/app.ts', 'app/deps.ts', 'app/engine.ts', 'app/import-sources.ts', 'app/observe.ts', 'domain/schema.ts'],
]

/** Returns the path of imports to each file that a file loads: `main.ts → cli/index.ts`. */
function loadedWith(start: string, files: readonly Scanned[]): ReadonlyMap<string, string> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const ways = new Map([[start, start]])
  // The entries that are added are visited too.
  for (const [path, way] of ways) {
    for (const next of byPath.get(path)?.loads ?? []) if (!ways.has(next)) ways.set(next, `${way} → ${next}`)
  }
  return ways
}

function violationsOf(sources: readonly Source[]): Violation[] {
  const files = sources.map(scan)
  return [
    ...[roomViolations, reservedViolations].flatMap((rule) => files.flatMap(rule)),
    ...[circleViolations, crowdViolations, partViolations].flatMap((rule) => rule(files)),
  ]
}

function isMeant(violation: Violation): boolean {
  return EXCEPTIONS.some(({ file, found }) => file === violation.file && found === violation.found)
}

describe('src/', () => {
  const sources = readSources(join(import.meta.dir, '../src'))
  const files = sources.map(scan)
  const violations = violationsOf(sources)

  test('keeps the rules of the house', () => {
    const lines = violations
      .filter((violation) => !isMeant(violation))
      .map(({ file, found, rule }) => `src/${file}: ${found}: ${rule}`)
    expect(lines).toEqual([])
  })

  test('loads nothing heavy before it knows which command runs', () => {
    const ways = loadedWith('cli/index.ts', files)
    expect([...ways.keys()]).toContain('cli/check/commands.ts')
    expect([...ways].flatMap(([path, way]) => (isWithin(path, HEAVY) ? way : []))).toEqual([])
  })

  test('loads nothing before it knows whether it is to run a command of others, and then only the client', () => {
    expect([...loadedWith('main.ts', files).keys()]).toEqual(['main.ts', 'run/is-run.ts'])
    const light = ['../package.json', 'lib/errors.ts', 'lib/secrets/uuid.ts']
    const ways = loadedWith('run/index.ts', files)
    expect([...ways].flatMap(([path, way]) => (isWithin(path, ['run', ...light]) ? [] : way))).toEqual([])
  })

  test.each(['status', 'log', 'search', 'check', 'delivery'])('loads no web server for overdue %s', (command) => {
    const ways = [`cli/${command}/actions.ts`, 'app/deps.ts'].flatMap((start) => [...loadedWith(start, files)])
    expect(ways.length).toBeGreaterThan(100)
    expect(ways.flatMap(([path, way]) => (isWithin(path, ['http', 'smtp', 'loops', 'app/app.ts']) ? way : []))).toEqual(
      [],
    )
  })

  test('has no page that touches the store: pages call services', () => {
    const pages = readSources(join(import.meta.dir, '../src/http/web')).map(scan)
    expect(pages.length).toBeGreaterThan(30)
    expect(pages.filter(({ code }) => TOUCHES_STORE.test(code)).map(({ path }) => path)).toEqual([])
  })

  test('uses all that the tables allow', () => {
    expect([...unusedPermissions(files), ...unusedReservations(files)]).toEqual([])
  })

  test('has no exception in the table that is no longer needed', () => {
    const happens = (file: string, found: string) => violations.some((it) => it.file === file && it.found === found)
    expect(EXCEPTIONS.filter(({ file, found }) => !happens(file, found))).toEqual([])
  })
})

test.each(['src', 'test', 'test-slow', 'bench', 'scripts'])('%s/ has no docstring without a noun', (folder) => {
  const sources = readSources(join(import.meta.dir, '..', folder))
  expect(sources.flatMap(proseViolations).map(({ file, found }) => `${folder}/${file}: ${found}`)).toEqual([])
})

describe('the rules', () => {
  /** Returns the violations of one file, in short. */
  const wrong = (path: string, text: string) => violationsOf([{ path, text }]).map(({ found }) => found)

  test.each([
    ['Of its text.', 1],
    ['\n * What is left.', 1],
    ['The text, for who reads it.', 1],
    ['The name. Whoever reads it sees it.', 1],
    ['The part of a text that a person who reads it sees.', 0],
  ])('find what is wrong with the docstring %p', (text, count) => {
    expect(proseViolations({ path: 'a.ts', text: `/** ${text} */` })).toHaveLength(count)
  })

  test.each([
    ['domain/a.ts', "import { x } from '../store/store.ts'", 'import of store/store.ts'],
    ['elsewhere/a.ts', '', 'elsewhere'],
    ['services/a.ts', "import { Elysia } from 'elysia'", 'import of elysia'],
    ['services/a.ts', "import { Database } from 'bun:sqlite'", 'import of bun:sqlite'],
    ['domain/a.ts', "import { Value } from '@sinclair/typebox/value'", 'import of @sinclair/typebox/value'],
    ['domain/a.ts', "import 'node:fs/promises'", 'import of node:fs/promises'],
    ['services/a.ts', "import { trace } from '@opentelemetry/api'", 'import of @opentelemetry/api'],
    ['services/a.ts', 'run(`SELECT * FROM checks`)', 'SELECT * FROM'],
    ['store/a.ts', 'run(`UPDATE checks SET alert_after = MIN(alert_after, $1)`)', 'MIN(alert_after,'],
    ['store/a.ts', "get('PRAGMA data_version')", 'PRAGMA'],
    ['store/a.ts', "get('SELECT n::bigint FROM checks')", '::bigint'],
    ['cli/a.ts', "process.stdout.write('done')", 'process.stdout'],
    ['services/a.ts', 'const now = Date.now()', 'Date.now'],
    ['services/a.ts', "throw new Error('see `overdue project list`')", '`overdue p'],
  ])('in %s %j is a violation', (path, text, found) => {
    expect(wrong(path, text)).toContain(found)
  })

  const source = (path: string, ...imports: readonly string[]): Source => {
    return { path, text: imports.map((name) => `import type { A } from '${name}'`).join('\n') }
  }

  test('a circle of imports is a violation, of types too, and is told once', () => {
    const sources = [
      source('domain/a.ts', './b.ts'),
      source('domain/b.ts', './c.ts'),
      source('domain/c.ts', './a.ts'),
      source('domain/d.ts', './b.ts'),
    ]
    expect(violationsOf(sources).map(({ rule }) => rule)).toEqual([
      'neighbours import each other one way: domain/a.ts → domain/b.ts → domain/c.ts → domain/a.ts',
    ])
    expect(violationsOf(sources.slice(1))).toEqual([])
  })

  test('so is a circle of folders in one folder, or of a folder and a file, though no file imports itself', () => {
    const folders = [
      source('domain/check/a.ts', '../run/a.ts'),
      source('domain/run/a.ts'),
      source('domain/run/b.ts', '../check/b.ts'),
      source('domain/check/b.ts'),
    ]
    expect(violationsOf(folders)).toEqual([
      {
        file: 'domain/run/b.ts',
        found: 'import of domain/check/b.ts',
        rule: 'neighbours import each other one way: domain/check → domain/run → domain/check',
      },
    ])
    const file = [source('lib/text.ts', './text/a.ts'), source('lib/text/a.ts'), source('lib/text/b.ts', '../text.ts')]
    expect(violationsOf(file).map(({ found }) => found)).toEqual(['import of lib/text.ts'])
  })

  test('more than 20 files in a folder are a violation, without those in its folders', () => {
    const sources = Array.from({ length: 20 }, (_, index) => source(`domain/check/${index}.ts`))
    expect(violationsOf([...sources, source('domain/check/run/a.ts')])).toEqual([])
    expect(violationsOf([...sources, source('domain/check/a.ts')])).toEqual([
      {
        file: 'domain/check',
        found: 'more than 20 files',
        rule: '21 files lie directly in it: give those of one noun a folder of their own',
      },
    ])
  })

  test('a part that one page uses is a violation, also by way of another part', () => {
    const parts = [
      source('http/web/parts/row.ts'),
      source('http/web/parts/list.ts', './row.ts'),
      source('http/web/pages/checks/routes.ts', '../../parts/list.ts'),
      source('http/web/pages/checks/new/form.ts', '../../../parts/list.ts'),
    ]
    expect(violationsOf(parts).map(({ file, found }) => `${file}: ${found}`)).toEqual([
      'http/web/parts/row.ts: used by http/web/pages/checks',
      'http/web/parts/list.ts: used by http/web/pages/checks',
    ])
    expect(violationsOf([...parts, source('http/web/layout/frame.ts', '../parts/list.ts')])).toEqual([])
  })
})

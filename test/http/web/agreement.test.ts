/**
 * The page of a check, the list, the overview, the wall, `check show`, the status page and alerts agree about a check at every instant of
 * random histories. The test takes a second or two, because each step reads all of them.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { show as showCommand } from '../../../src/cli/check/actions.ts'
import type { Context } from '../../../src/cli/command.ts'
import { show } from '../../../src/cli/terminal/screen.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { SHOWN_STATES, type ShownState } from '../../../src/domain/check/shown-check.ts'
import { publicState } from '../../../src/domain/status-page/public-status.ts'
import { createChannel } from '../../../src/services/channels/channels.ts'
import { deleteCheck, getCheck, pauseCheck, resumeCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import { flipOverdue } from '../../../src/services/pings/flips.ts'
import { type Browser, memberWith } from '../../support/browser.ts'
import { wordsOf } from '../../support/page-words.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let member: Browser
beforeAll(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org', DEFAULT_FROM_EMAIL: 'overdue@example.org' } })
  member = await memberWith(t, 'member')
  await createChannel(t.app.deps, t.actor, { kind: 'email', name: 'Ops', settings: { value: 'ops@example.org' } })
})
afterAll(() => t.close())

/**
 * An event: a signal of the job, an action of a person, or seconds that pass. A run usually takes five minutes, and one is due each hour.
 */
type Event = '' | '/start' | '/fail' | 'pause' | 'resume' | number
const events: fc.Arbitrary<Event> = fc.oneof(
  fc.constantFrom<Event>('', '/start', '/start', '/fail', 'pause', 'resume'),
  // Around the due time, the usual duration, and the end of the grace time.
  fc.constantFrom<Event>(60, 290, 320, 376, 600, 1_199, 1_200, 2_400, 3_599, 3_600, 4_800, 9_000),
)

/** Five runs with the usual duration. */
const USUAL: readonly Event[] = Array.from({ length: 5 }, (): Event[] => ['/start', 300, '', 3_000]).flat()

/**
 * Histories that each show a special state: a slow run, one that is due in the meantime, a pause, silence, a run without an end, failures.
 */
const EXAMPLES: readonly (readonly Event[])[] = [
  ['/start', 376, '', 60],
  [600, '/start', 60, 320],
  ['pause', 'resume', 60, '/start', ''],
  [600, 1_200, 4_800, 2_400],
  ['/start', 1_200, ''],
  ['/fail', '/fail', 600],
  ['/start', 290, '/start', 60, '', 60],
]

async function make(): Promise<Check> {
  const spec = { name: 'Backup', timeout: 3_600, grace: 1_200, channels: '*' }
  const { check } = await upsertCheck(t.app.deps, t.actor, spec, false)
  return check
}

async function happen({ id }: Check, event: Event): Promise<void> {
  const { check } = await getCheck(t.app.deps, t.actor, id)
  if (event === 'pause') await pauseCheck(t.app.deps, t.actor, check)
  else if (event === 'resume') await (check.status === 'paused' && resumeCheck(t.app.deps, t.actor, check))
  else if (typeof event === 'string') await t.call('POST', `/ping/${id}${event}`)
  else t.clock.advance({ seconds: event })
  await flipOverdue(t.app.deps, t.clock.now())
}

const piece = (html: string, pattern: RegExp) => pattern.exec(html)?.[1] ?? ''

/** Returns the output of `overdue check show` by the clock of the test. */
async function shownByCommand({ id }: Check): Promise<string> {
  let out = ''
  const context: Pick<Context, 'openDeps' | 'values' | 'argument' | 'print'> = {
    openDeps: async () => t.app.deps,
    values: { project: 'Tests' },
    argument: id,
    print(_, shown) {
      out = show(shown, { columns: null, hasColor: false, now: t.clock.now() })
    },
  }
  await showCommand(context as Context)
  return out
}

/** Reads the state of the check from each place. */
async function read(check: Check) {
  const id = check.publicId
  const [{ text: page }, { text: list }, { text: home }, { text: wall }, out] = await Promise.all([
    member.get(`/p/tests/checks/${id}`),
    member.get('/p/tests/checks'),
    member.get('/'),
    member.get('/wall?p=tests'),
    shownByCommand(check),
  ])
  const row = piece(list, new RegExp(`(<tr id=c${id} [\\s\\S]*?)\\n(?:<t|</t)`))
  const cells = row.split(/<t[dh](?: [^>]*)?>/).slice(1)
  const now = piece(page, /<section class="card" id="now"[^>]*>([\s\S]*?)<\/section>/)
  const facts = piece(now, /<dl class="facts">([\s\S]*)<\/dl>/)
  const fact = (name: string) => wordsOf(piece(facts, new RegExp(`<dt>${name}</dt><dd[^>]*>([\\s\\S]*?)</d[dl]`)))
  const card = piece(home, new RegExp(`<li id="c${id}"[^>]*>([\\s\\S]*?)</li>`))
  return {
    page: {
      state: piece(now, /class="st (\w+) big"/),
      head: wordsOf(now.slice(0, now.indexOf('<dl'))),
      lastRun: fact('Last run'),
      lastDuration: fact('Took'),
      newestRun: wordsOf(piece(page, /<td class="c-o">([\s\S]*?)<\/td>/)),
    },
    row: {
      state: piece(row, /class=("?\w+)/).replace('"', ''),
      isSlow: /class="[^"]*\bslow\b/.test(row),
      group: Array.from(list.matchAll(/<tbody id="(\w+)"([\s\S]*?)(?=<tbody|<\/table)/g)).find(([, , rows]) =>
        rows?.includes(`id=c${id} `),
      )?.[1],
      words: wordsOf(cells[1] ?? ''),
      sentence: wordsOf(piece(row, /<p>([\s\S]*?)(?:<td|<\/p>)/)),
      lastPing: wordsOf(cells[5] ?? ''),
      duration: wordsOf(cells[7] ?? ''),
    },
    count: wordsOf(piece(list, /<span id="sentence">([\s\S]*?)<\/span>/)),
    card: { state: piece(card, /class="st (\w+) big"/), sentence: wordsOf(piece(card, /<\/h3><p>([\s\S]*?)<\/p>/)) },
    wall: {
      isLarge: wall.includes('<ul class="wall-bad'),
      state: Array.from(wall.matchAll(/class="big-n (\w+)">.*?<b>(\d+)<\/b>/g)).find(([, , n]) => n === '1')?.[1],
      // A check that was not due in the last hours has no row.
      row: piece(wall, /<li class="wn"><span><svg class="st (\w+)"/),
      sentence: wordsOf(piece(wall, /<\/h3><p>([\s\S]*?)<\/p>/)),
    },
    command: {
      status: piece(out, /^status +(.*)$/m).trim(),
      head: piece(out, /^(.*)$/m).replaceAll(' UTC', ''),
    },
  }
}

const COMMAND_WORDS: Readonly<Record<ShownState, RegExp>> = {
  new: /^new$/,
  up: /^up$/,
  started: /^running$/,
  late: /^late(, running)?$/,
  down: /^down(, running)?$/,
  paused: /^paused$/,
}
const PUBLIC: Readonly<Record<ShownState, readonly string[]>> = {
  // A check that was resumed is not watched.
  new: ['new', 'paused'],
  up: ['working'],
  started: ['working', 'new'],
  late: ['late'],
  down: ['delayed'],
  paused: ['paused'],
}
const COUNTS: Readonly<Record<string, RegExp>> = {
  needs: /^1 (down|late)\.$/,
  slow: /^1 slow or late but running\.$/,
  expected: /^1 check, all good\.$/,
  unpinged: /^1 not pinged yet\.$/,
  stopped: /^1 paused\.$/,
}

async function compare(check: Check): Promise<string> {
  const said = await read(check)
  const { page, row, card, wall, command } = said
  const state = row.state as ShownState
  expect(SHOWN_STATES).toContain(state)
  const isWrong = state === 'down' || state === 'late'
  expect(page.state).toBe(state)
  expect(wall).toMatchObject({ state, isLarge: isWrong })
  expect(['', state]).toContain(wall.row)
  expect(card.state).toBe(isWrong || row.isSlow ? state : '')
  expect(command.status).toMatch(COMMAND_WORDS[state])
  const { check: stored } = await getCheck(t.app.deps, t.actor, check.id)
  expect(PUBLIC[state]).toContain(publicState(stored, t.clock.now()))
  expect(said.count).toMatch(COUNTS[row.group ?? ''] ?? /never/)
  // The sentence is the same in all places.
  expect(command.head).not.toBe('')
  expect(page.head.replace(/ as of .*/, '')).toContain(command.head)
  if (card.state !== '') expect(card.sentence).toBe(row.sentence)
  if (wall.isLarge) expect(wall.sentence).toBe(row.sentence)
  // The head describes the same facts in other words.
  expect(page.head.includes('Longer than usual')).toBe(row.sentence.includes('Longer than usual'))
  expect(row.isSlow).toBe(row.sentence.includes('Longer than usual'))
  expect(page.head.startsWith('Running for')).toBe(state === 'started')
  expect(page.head.startsWith('Resumed')).toBe(row.sentence.startsWith('Resumed'))
  const missing = /\d+ runs in a row are missing/
  const inRow = missing.exec(row.sentence)?.[0]
  if (inRow) expect(page.head).toContain(inRow)
  const [lasting] = /Down for [\w ]+?(?=[.:])/.exec(row.sentence) ?? ['']
  expect(page.head).toContain(lasting)
  // The list has one unit, and only the page explains a missing one.
  if (/^[1-9]\d* (?:s|min|h)$/.test(row.lastPing)) expect(page.lastRun).toContain(row.lastPing)
  const isRunning = stored.lastStartAt !== null
  expect(page.newestRun === 'Running').toBe(isRunning)
  if (state === 'down' && !isRunning && /still|never reported|(?<!failed \d+ times )in a row/.test(page.head))
    expect(page.newestRun).toBe('Missing')
  expect(page.lastDuration.startsWith(row.duration)).toBe(true)
  return row.sentence
}

/** Returns the first line of the alert about the last flip, as it is sent at that moment; null when none was. */
async function alert(): Promise<string | null> {
  const before = t.mails.length
  for (let round = 0; round < 2; round++) await t.app.settle('deliveries')
  const mail = t.mails[before]
  return mail ? mail.text.replaceAll(' UTC', '').replace(/\s+/g, ' ') : null
}

test('all places say the same of a check, whatever has happened', async () => {
  const reached = new Set<string>()
  const property = fc.asyncProperty(fc.array(events, { minLength: 4, maxLength: 9 }), async (history) => {
    const check = await make()
    try {
      for (const event of USUAL) await happen(check, event)
      await alert()
      for (const event of history) {
        await happen(check, event)
        const sentence = await compare(check)
        const message = await alert()
        reached.add(sentence.replace(/[\d:]+/g, '0'))
        // A flip of this moment is described in the words of the page.
        if (message !== null && sentence.endsWith('Down for 0 s.')) {
          expect(message).toContain(sentence.replace(' Down for 0 s.', ''))
        }
      }
    } finally {
      const { check: last } = await getCheck(t.app.deps, t.actor, check.id)
      await deleteCheck(t.app.deps, t.actor, last)
    }
  })
  const examples = EXAMPLES.map((history): [Event[]] => [[...history]])
  await fc.assert(property, { numRuns: examples.length + 1, examples })
  for (const words of ['Longer than usual', 'Resumed', 'in a row', ', no ping yet', 'has not ended', 'Failed twice']) {
    expect([...reached].some((sentence) => sentence.includes(words))).toBe(true)
  }
}, 30_000)

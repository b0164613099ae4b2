/** The card on the page of a check whose newest run failed: lines of its output that the last good run did not have. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../../../src/domain/check/check.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let member: Browser
let reader: Browser
let check: Check
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
  reader = await memberWith(t, 'read-only', { email: 'reader@example.org' })
  check = (await upsertCheck(t.app.deps, t.actor, { name: 'Backup' }, false)).check
})
afterEach(() => t.close())

async function ping(action: string, body = '') {
  t.clock.advance({ minutes: 1 })
  expect((await t.call('POST', `/ping/${check.id}${action}`, { body })).status).toBe(200)
}

async function card(browser = member): Promise<string> {
  const { text } = await browser.get(`/p/tests/checks/${check.publicId}`)
  return /<section[^>]* id="changed".*?<\/section>/s.exec(text)?.[0] ?? 'none'
}

const wordsOf = (html: string) => html.replace(/<[^>]+>/g, '')

test('is hidden until a run has failed, and again once the next one succeeds', async () => {
  const hidden = '<section id="changed" hidden></section>'
  expect(await card()).toBe(hidden)
  await ping('', 'begin')
  expect(await card()).toBe(hidden)
  await ping('/fail', 'begin\nexit 2')
  expect(await card()).not.toBe(hidden)
  await ping('', 'begin')
  expect(await card()).toBe(hidden)
})

test('marks lines with signs and with words for those who do not see them, and escapes them', async () => {
  await ping('', 'begin\nfetched 3 statements')
  await ping('/2', 'begin\n<script>alert(1)</script>\n\u001b[31mkey\tchanged\u0007')
  const html = await card()
  expect(wordsOf(html)).toContain('What changed in the outputcompared with the last successful run, 12:01')
  expect(html).toContain(
    '<span>  begin</span><del><span class="sr">removed line: </span>− fetched 3 statements</del><ins><span class="sr">new line: </span>+ &lt;script&gt;alert(1)&lt;/script&gt;</ins>',
  )
  expect(html).toContain('+ key\tchanged</ins>')
  expect(html).toContain('tabindex="0" role="group" aria-label="Difference of the outputs"')
  expect(html).toContain('/log/2">Output of this run</a>')
  expect(html).toContain('/log/1">Output of the last successful run</a>')
})

test('folds what is long, and counts the rest', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => `file ${n}`)
  await ping('', ['begin', 'a', 'b', 'c', ...lines].join('\n'))
  await ping('/fail', 'begin\na\nb\nc\ndisk full')
  expect(wordsOf(await card())).toContain('2 unchanged lines  b  cremoved line: − file 0')
  expect(wordsOf(await card())).toContain('296 removed linesnew line: + disk full')
  const every = (sign: string) => lines.map((line, n) => (n % 2 ? line + sign : line)).join('\n')
  await ping('', every(''))
  await ping('/fail', every('!'))
  expect(wordsOf(await card())).toMatch(/and \d+ more lines/)
})

describe('says why nothing is compared', () => {
  test('when the job sends no output, with a way to the line that does', async () => {
    await ping('/fail')
    expect(wordsOf(await card())).toContain('The job sends no output. Add it to the ping')
    const href = /href="([^"]*lines=output)#fix-lines"/.exec(await card())?.[1] ?? ''
    const { text } = await member.get(href)
    expect(text).toContain(`--data-binary @- http://localhost:8000/ping/${check.id}/$code`)
    expect(wordsOf(await card(reader))).toEndWith('The job sends no output.')
  })

  test('in words for each case', async () => {
    await ping('/fail', 'exit 2')
    expect(wordsOf(await card())).toContain('The log contains no successful run before this one')
    await ping('')
    await ping('/fail', 'exit 2')
    expect(wordsOf(await card())).toContain('The last successful run sent no output')
    await ping('', 'fine at 12:00')
    await ping('/fail')
    expect(wordsOf(await card())).toContain('This run sent no output, but the last successful run did.')
    await ping('/fail', 'fine at 13:00')
    expect(wordsOf(await card())).toContain('Nothing changed, except times')
    await ping('/fail', 'a\0b')
    expect(wordsOf(await card())).toContain('is not text')
  })
})

test('shows readers nothing that would allow pings', async () => {
  await ping('', 'begin')
  await ping('/fail', `begin\ncurl http://localhost:8000/ping/${check.id}\nexit 2`)
  expect(await card()).toContain(check.id)
  expect(await card(reader)).not.toContain(check.id)
  expect(wordsOf(await card(reader))).toContain('+ exit 2')
})

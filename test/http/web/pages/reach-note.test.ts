/** Notes on pages with an address to share: which machines cannot use it, and the setting to change. */
import { afterEach, describe, expect, test } from 'bun:test'
import { upsertCheck } from '../../../../src/services/checks/checks.ts'
import { addAccount, type Browser, memberWith, signedIn } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

let t: TestApp
afterEach(() => t.close())

async function begin(env: Readonly<Record<string, string>>): Promise<void> {
  t = await testApp({ env })
}

const SITE = 'SITE_ROOT=https://overdue.example.org'
/** Returns the text of notes about addresses. */
const notes = ({ text }: { text: string }) =>
  Array.from(text.matchAll(/<p>((?:Other machines|Machines outside)[^\n]*?)<\/p>/g), ([, words = '']) =>
    words.replaceAll(/<[^>]+>/g, ''),
  )

async function pathsOf(): Promise<readonly string[]> {
  const { check } = await upsertCheck(t.app.deps, t.actor, { name: 'Backup' }, false)
  const pages = ['first-ping', `checks/${check.publicId}`, 'badges', 'team', 'settings', 'status-page']
  return pages.map((page) => `/p/tests/${page}`)
}

async function administrator(): Promise<Browser> {
  return signedIn(t, await addAccount(t, { isAdministrator: true }))
}

describe('on every page with an address of this server', () => {
  test.each([
    ['http://localhost:8000', 'Other machines cannot reach localhost.'],
    ['http://127.0.0.1:8000', 'Other machines cannot reach 127.0.0.1.'],
    ['http://[::1]:8000/overdue', 'Other machines cannot reach [::1].'],
    ['http://192.168.4.20', 'Machines outside its network cannot reach 192.168.4.20.'],
  ])('with SITE_ROOT=%s administrators read which setting and which value', async (root, words) => {
    await begin({ SITE_ROOT: root })
    const browser = await administrator()
    const { pathname } = new URL(root)
    for (const path of await pathsOf()) {
      expect(notes(await browser.get(pathname === '/' ? path : pathname + path))).toEqual([
        `${words} Set ${SITE} (the address that other machines use), and restart the server.`,
      ])
    }
  })

  test('others are told whom to ask', async () => {
    await begin({})
    const member = await memberWith(t, 'member')
    expect(notes(await member.get('/p/tests/badges'))).toEqual([
      `Other machines cannot reach localhost. Ask an administrator of this server to set ${SITE} (the address that other machines use).`,
    ])
  })

  test('nothing is said of a public address', async () => {
    await begin({ SITE_ROOT: 'https://overdue.example' })
    const browser = await administrator()
    for (const path of await pathsOf()) expect(notes(await browser.get(path))).toEqual([])
  })
})

test('a private PING_ENDPOINT, and a private domain of emails, have settings of their own', async () => {
  await begin({ SITE_ROOT: 'https://overdue.example', PING_ENDPOINT: 'http://10.0.0.5/ping', SMTPD_PORT: '0' })
  const browser = await administrator()
  const [first = '', check = '', badges = ''] = await pathsOf()
  const ofPings = `Machines outside its network cannot reach 10.0.0.5. Set PING_ENDPOINT=https://overdue.example.org/ping (the address that other machines use), and restart the server.`
  expect(notes(await browser.get(first))).toEqual([ofPings])
  expect(notes(await browser.get(badges))).toEqual([])
  expect(notes(await browser.get(check))).toEqual([
    ofPings,
    `Other machines cannot reach localhost. Set PING_EMAIL_DOMAIN=overdue.example.org (the address that other machines use), and restart the server.`,
  ])
})

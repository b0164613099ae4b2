import { describe, expect, test } from 'bun:test'
import { assetPath } from '../../../../src/http/web/assets/assets.ts'
import { createHref } from '../../../../src/http/web/href.ts'
import { html } from '../../../../src/http/web/html.ts'
import { type FrameData, framePage } from '../../../../src/http/web/layout/frame.ts'
import { gatePage } from '../../../../src/http/web/layout/gate.ts'
import { checksMenu } from '../../../../src/http/web/pages/checks/menu.ts'
import { MENU } from '../../../../src/http/web/pages/index.ts'

const EVIL = `"><script>alert('x')</script>\u202eevil\u2066\0`

const site = (name = 'Overdue') => ({ name, href: createHref('https://example.org/watch', assetPath) })
const frame = (over: Partial<FrameData> = {}): string =>
  framePage({
    site: site(),
    account: {
      email: 'ops@example.org',
      theme: 'system',
      tz: 'Asia/Kathmandu',
      hasShortcuts: true,
      isAdministrator: false,
    },
    project: { slug: 'books', name: 'Books', right: 'own' },
    onlyProject: null,
    projects: [
      { slug: 'books', name: 'Books', down: 0 },
      { slug: 'other', name: 'Other', down: 0 },
    ],
    undelivered: 0,
    advised: 0,
    isOnce: false,
    done: null,
    refresh: null,
    content: { layout: 'frame', title: 'Checks', body: html`<p>body</p>` },
    menu: MENU,
    here: checksMenu,
    help: null,
    ...over,
  }).text

const hrefs = (page: string) => Array.from(page.matchAll(/<a\b[^>]*?href="([^"]+)"/g), ([, href]) => href)

describe('the menu', () => {
  test('has only what the reader may open', () => {
    const settings = '/watch/p/books/settings'
    expect(hrefs(frame())).toContain(settings)
    const page = frame({ project: { slug: 'books', name: 'Books', right: 'read' } })
    expect(hrefs(page)).toContain('/watch/p/books/checks')
    expect(hrefs(page)).not.toContain(settings)
    expect(hrefs(frame({ project: null })).filter((href) => href?.endsWith('/settings'))).toEqual([])
    const audit = '/watch/p/books/audit'
    expect(hrefs(frame({ project: { slug: 'books', name: 'Books', right: 'manage' } }))).toContain(audit)
    expect(hrefs(frame({ project: { slug: 'books', name: 'Books', right: 'write' } }))).not.toContain(audit)
  })

  test('has one entry about the server, for administrators only, on pages of a project and of none', () => {
    const account = { email: 'a', theme: 'system', tz: 'UTC', hasShortcuts: false, isAdministrator: true } as const
    for (const over of [{ account }, { account, project: null }]) {
      const page = frame(over)
      expect(page).toContain('<bdi>Administration</bdi>')
      // In the menu and behind "More".
      expect(hrefs(page).filter((href) => href?.startsWith('/watch/admin'))).toEqual(['/watch/admin', '/watch/admin'])
    }
    expect(frame()).not.toContain('/watch/admin')
  })

  test('marks the page that the reader is on, in the menu and in the tab bar', () => {
    const current = frame().match(/<a href="([^"]+)" aria-current="page">/g)
    expect(current).toHaveLength(2)
    expect(current?.[0]).toContain('/watch/p/books/checks')
  })

  test('has the overview first, and says beside the checks how many of the project are down', () => {
    const projects = [
      { slug: 'books', name: 'Books', down: 2 },
      { slug: 'other', name: 'Other', down: 5 },
    ]
    const page = frame({ projects })
    expect(hrefs(page).slice(0, 5)).toEqual([
      '#main',
      '/watch/',
      '/watch/p/books/checks',
      '/watch/p/other/checks',
      '/watch/projects',
    ])
    expect(hrefs(page).slice(5, 7)).toEqual(['/watch/search', '/watch/'])
    expect(page.match(/data-tally="down">.*?<b>2<\/b><i class="sr"> down<\/i>/g)).toHaveLength(2)
    expect(frame().match(/data-tally="down" hidden>/g)).toHaveLength(2)
  })

  test('says beside the alerts how many wait or failed, up to a thousand, and nothing if none did', () => {
    const tally = /data-tally="undelivered">(.*?)<\/span>/g
    const words = (page: string) => Array.from(page.matchAll(tally), ([, text = '']) => text.replace(/<[^>]+>/g, ''))
    expect(words(frame({ undelivered: 3 }))).toEqual(['3 waiting or failed', '3 waiting or failed'])
    expect(words(frame({ undelivered: 1_000 }))).toEqual(['1,000+ waiting or failed', '1,000+ waiting or failed'])
    expect(words(frame())).toEqual([])
    expect(frame().match(/data-tally="undelivered" hidden>/g)).toHaveLength(2)
  })

  test('of a project follows the numbers of that project, and of no project those of all', () => {
    const stream = (page: string) => /hx-sse:connect="([^"]+)"/.exec(page)?.[1]
    expect(stream(frame())).toBe('/watch/p/books/live?view=counts&amp;for=own')
    expect(stream(frame({ project: null }))).toBe('/watch/live?view=counts&amp;for=')
  })

  test('has the checks also on a page of no project, when there is only one project to see', () => {
    const onlyProject = { slug: 'books', name: 'Books', right: 'own' } as const
    const page = frame({ project: null, onlyProject })
    expect(hrefs(page)).toContain('/watch/p/books/checks')
    expect(page).toContain('<title>Checks – Overdue</title>')
    expect(hrefs(frame({ project: null, projects: [] }))).not.toContain('/watch/p/books/checks')
  })

  test('has the overview, the night, checks, advice, alerts and integrations in this order, and then the others', () => {
    const [, side = ''] = /<nav class="side"[^>]*>([\s\S]*?)<\/nav>/.exec(frame()) ?? []
    const words = Array.from(side.matchAll(/<span><bdi>(.*?)<\/bdi>/g), ([, word = '']) => word)
    // The project's name is above them.
    expect(words.slice(1, 7)).toEqual(['Overview', 'Night', 'Checks', 'Advice', 'Alerts', 'Integrations'])
    expect(Array.from(side.matchAll(/<h2>(.*?)<\/h2>/g), ([, name]) => name)).toEqual(['Share', 'Project'])
  })

  test('leads to the advice of all projects where no project is chosen', () => {
    expect(hrefs(frame())).toContain('/watch/p/books/advice')
    expect(hrefs(frame())).not.toContain('/watch/advice')
    expect(hrefs(frame({ project: null }))).toContain('/watch/advice')
    // No number of a project is beside it.
    expect(frame()).toContain('data-tally="advised"')
    expect(frame({ project: null })).not.toContain('data-tally')
  })

  test('gives each place a key of its own', () => {
    const keys = [...MENU.main, MENU.account, MENU.help].map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('has five places for a thumb, and opens the others', () => {
    const [, bar = ''] = /<nav class="tabbar"[^>]*>([\s\S]*?)<\/nav>/.exec(frame()) ?? []
    const [tabs = '', others = ''] = bar.split('<details')
    expect(hrefs(tabs)).toEqual(['/watch/', '/watch/night', '/watch/p/books/checks', '/watch/p/books/alerts'])
    expect(tabs).toContain('<span><bdi>Alerts</bdi></span>')
    const words = (page: string) => Array.from(page.matchAll(/<span><bdi>(.*?)<\/bdi>/g), ([, word = '']) => word)
    const [, side = ''] = /<nav class="side"[^>]*>([\s\S]*?)<\/nav>/.exec(frame()) ?? []
    // The account has its email there.
    expect(words(bar).filter((word) => !words(side).includes(word))).toEqual(['Account'])
    const rest = MENU.main.filter(({ tab, isForAdministrators }) => tab !== 'always' && !isForAdministrators)
    const paths = [...rest, MENU.account, MENU.help].map(({ path }) => path.replace(':project', 'books'))
    expect(hrefs(others)).toEqual(paths.map((path) => `/watch${path}`))
  })

  test('has the projects for a thumb where no project is chosen', () => {
    const [tabs = ''] = (/<nav class="tabbar"[\s\S]*/.exec(frame({ project: null }))?.[0] ?? '').split('<details')
    expect(hrefs(tabs)).toEqual(['/watch/', '/watch/night', '/watch/projects'])
  })

  test('switches to any of the projects, and marks the current one', () => {
    const page = frame()
    expect(page).toContain('<summary aria-label="Project: Books. Switch project">')
    expect(page).toContain('<a href="/watch/p/books/checks" aria-current="true"><bdi>Books</bdi></a>')
    expect(page).toContain('<a href="/watch/p/other/checks"><bdi>Other</bdi></a>')
  })
})

test('when checks are down, the title counts those of all projects, and the icon shows it', () => {
  const projects = [
    { slug: 'books', name: 'Books', down: 1 },
    { slug: 'other', name: 'Other', down: 2 },
  ]
  const page = frame({ projects })
  expect(page).toContain('<title>(3) Checks – Books – Overdue</title>')
  expect(page).toContain('type="image/svg+xml" href="/watch/favicon-down.svg"')
  expect(page).toContain('<bdi>Other</bdi> <small class="end">2 down</small></a>')
  expect(frame()).toContain('type="image/svg+xml" href="/watch/favicon.svg"')
  expect(frame()).not.toContain('(0)')
})

describe('the document', () => {
  test('has its landmarks once, and a link to its content', () => {
    const page = frame()
    for (const part of ['<main id="main" tabindex="-1"', '<h1>', 'aria-label="Main"', 'href="#main"']) {
      expect(page.split(part)).toHaveLength(2)
    }
    expect(page).toStartWith('<!doctype html>\n<html lang="en" data-tz="Asia/Kathmandu" data-shortcuts>')
  })

  test('has a title from the page to the site', () => {
    expect(frame()).toContain('<title>Checks – Books – Overdue</title>')
    expect(frame({ project: null })).toContain('<title>Checks – Overdue</title>')
    const content = { layout: 'gate', title: 'Overdue', body: '' } as const
    expect(gatePage({ site: site(), account: null, done: null, content }).text).toContain('<title>Overdue</title>')
  })

  test('says the theme only when the reader chose one, and no keys when they are off', () => {
    const account = {
      email: 'a@example.org',
      theme: 'light',
      tz: 'UTC',
      hasShortcuts: false,
      isAdministrator: false,
    } as const
    const page = frame({ account })
    expect(page).toContain('<html lang="en" data-theme="light" data-tz="UTC">')
    expect(page).not.toContain('key-help')
    expect(frame()).not.toContain('data-theme')
  })

  test('lists the keys in a dialog with a name and a way to close it', () => {
    expect(frame()).toContain(
      '<dialog class="dialog" id="key-help" aria-labelledby="key-help-title"><header><h2 id="key-help-title">Keyboard</h2><button class="btn quiet icon small" type="button" commandfor="key-help" command="close"',
    )
  })

  test('has no inline style or script, and loads only files of this server', () => {
    const page = frame({ done: { code: 'saved', count: 1, left: 0, undo: null, back: '/' } })
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src="\/watch\/assets\/)/)
    const files = Array.from(page.matchAll(/<(?:link|script)\b[^>]*?(?:href|src)="([^"]+)"/g), ([, file]) => file)
    expect(files).toHaveLength(4)
    expect(files.filter((file) => !file?.startsWith('/watch/'))).toEqual([])
  })

  test('says the zone of the account, and none to a stranger', () => {
    const content = { layout: 'gate', title: 'Sign in', body: '' } as const
    const account = { theme: 'system', tz: 'Asia/Kathmandu' } as const
    expect(gatePage({ site: site(), account, done: null, content }).text).toContain('data-tz="Asia/Kathmandu"')
    expect(gatePage({ site: site(), account: null, done: null, content }).text).toContain('<html lang="en">')
  })

  test('gives every element its own id', () => {
    const ids = Array.from(frame().matchAll(/\sid="([^"]+)"/g), ([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

test('names that strangers chose run nothing, and reorder nothing around them', () => {
  const page = frame({
    site: site(EVIL),
    account: { email: EVIL, theme: 'system', tz: 'Asia/Kathmandu', hasShortcuts: true, isAdministrator: false },
    project: { slug: EVIL, name: EVIL, right: 'own' },
    projects: [{ slug: EVIL, name: EVIL, down: 1 }],
    content: {
      layout: 'frame',
      title: EVIL,
      crumbs: [{ path: '/projects', text: EVIL }],
      body: '',
    },
  })
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page).not.toContain('\0')
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(page) ?? []
  expect(title).not.toMatch(/[\u202e\u2066]/)
  // Where a control remains, an element encloses its effect.
  expect(page.replace(/<bdi>[^<]*<\/bdi>/g, '')).not.toMatch(/[\u202e\u2066]/)
})

describe('the gate', () => {
  const gate = (over = {}) => {
    const content = { layout: 'gate', title: 'Set up', body: html`<p>body</p>`, ...over } as const
    return gatePage({ site: site(), account: { theme: 'dark', tz: 'UTC' }, done: null, content }).text
  }

  test('shows which step of a set-up this is', () => {
    const page = gate({ steps: { names: ['Your account', 'First project', 'First ping'], current: 1 } })
    expect(page.match(/<li\b[^>]*>/g)).toEqual(['<li class="done">', '<li aria-current="step">', '<li>'])
  })

  test('has a column beside only when there is something in it', () => {
    expect(gate()).not.toContain('<aside')
    expect(gate({ aside: { name: 'This server', body: 'x' } })).toContain('aria-label="This server"')
  })
})

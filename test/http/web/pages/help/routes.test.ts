import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HELP, type HelpDocument } from '../../../../../src/help/documents.ts'
import { documentHtml } from '../../../../../src/http/web/pages/help/markdown.ts'
import { administrator } from '../../../../support/browser.ts'
import { hasHelpPlace } from '../../../../support/help-place.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const read = async (path: string) => {
  const response = await t.call('GET', path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const documents = HELP.flatMap(({ documents }) => documents)

test('the list names every document, for everybody, and may be kept for a minute', async () => {
  const { status, headers, text } = await read('/docs')
  expect([status, headers.get('cache-control'), headers.get('set-cookie')]).toEqual([200, 'public, max-age=60', null])
  for (const { name } of documents) expect(text).toContain(`href="/docs/${name}"`)
  expect(text).toContain('href="/docs/api"')
})

test.each(documents.map(({ name }) => name))('the page of %s has its title once, and loads nothing', async (name) => {
  const { status, text } = await read(`/docs/${name}`)
  expect(status).toBe(200)
  expect(text.match(/<h1/g)).toHaveLength(1)
  expect(text).not.toMatch(/<(?:img|iframe|script(?! src="\/))|style=|javascript:/)
})

test('a document has the list of all beside it, and a way back', async () => {
  const { text } = await read('/docs/backup')
  expect(text).toContain('<a href="/docs/backup" aria-current="page">')
  for (const { name } of documents) expect(text).toContain(`href="/docs/${name}"`)
  expect(text).toContain('<a href="/" data-back="/docs">Back to <bdi>')
})

test('links between documents lead to pages and headings that exist', async () => {
  const broken: string[] = []
  for (const document of documents) {
    const html = documentHtml(document, (path) => path).text
    for (const [, target = ''] of html.matchAll(/href="([^"]*)"/g)) {
      const isOut = /^https?:/.test(target)
      const place = target.startsWith('#') ? `${document.name}${target}` : target.replace('/docs/', '')
      if (!isOut && !hasHelpPlace(place)) broken.push(`${document.name}: ${target}`)
    }
  }
  expect(broken).toEqual([])
})

test.each([
  ['the list of a page', 'alerts', '/docs/pages#alerts'],
  ['another of its routes', 'settings/delete', '/docs/pages#the-settings-of-a-project'],
  ['one that a document of its own explains', 'settings/export', '/docs/project-file'],
  ['one that no document explains', 'first-ping', '/docs'],
])('Help in the menu leads to what explains the page: %s', async (_, path, place) => {
  const browser = await administrator(t)
  const { text } = await browser.get(`/p/${t.project.slug}/${path}`)
  const [, menu = ''] = /<ul class="side-foot">(.*?)<\/ul>/s.exec(text) ?? []
  expect(menu).toContain(`href="${place}"`)
})

describe('a document', () => {
  const page = (text: string, name = 'backup') => {
    const document: HelpDocument = { name, title: 'Title', text }
    return documentHtml(document, (path) => `/on${path}`).text
  }

  test('shows HTML as it is written', () => {
    expect(page('a <script>alert(1)</script> b')).toBe('<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>\n')
  })

  test('keeps the words of links that lead to no page', () => {
    expect(page('[unit](../deploy/unit) [run](javascript:alert(1)) ![picture](x.png)')).toBe('<p>unit run </p>\n')
  })

  test('leads to other documents below the path of the site, and elsewhere without a referrer', () => {
    expect(page('[all](settings.md#mail) [top](../README.md) [out](https://example.org/)')).toBe(
      '<p><a href="/on/docs/settings#mail">all</a> <a href="/on/docs/overview">top</a> <a href="https://example.org/" rel="noreferrer">out</a></p>\n',
    )
    expect(page('[all](docs/settings.md)', 'overview')).toContain('href="/on/docs/settings"')
  })

  test('has no empty heads of tables', () => {
    expect(page('| | |\n|---|---|\n| a | b |')).not.toContain('<th')
    expect(page('| | A |\n|---|---|\n| a | b |')).toContain('<tr><td></td><th>A</th></tr>')
  })

  test('that does not exist is not found, and its name is not shown as HTML', async () => {
    const { status, text } = await read('/docs/%3Cb%3E')
    expect(status).toBe(404)
    expect(text).not.toContain('<b>')
  })
})

describe('the search', () => {
  test('shows where words are, marked, with a link to the section', async () => {
    const { text } = await read('/docs/search?q=how%20much%20a%20log%20holds')
    expect(text).toContain('href="/docs/operate#how-much-a-log-holds"')
    expect(text).toContain('<mark>')
  })

  test('escapes what was asked, and says what to do when there is nothing', async () => {
    const { text } = await read(`/docs/search?q=${encodeURIComponent('<img src=x>zzz')}`)
    expect(text).not.toContain('<img')
    expect(text).toContain('Try fewer words')
  })
})

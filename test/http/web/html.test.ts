import { describe, expect, test } from 'bun:test'
import { Html, html } from '../../../src/http/web/html.ts'

const hostile = `<script>alert("x" & 'y')</script>`
const escaped = '&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;'

describe('a value', () => {
  test('is escaped in text and in attributes', () => {
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`)
  })

  test('is escaped in lists, at any depth', () => {
    expect(html`${[hostile, [hostile]]}`.text).toBe(escaped + escaped)
  })

  test('stays as it is when the tag made it', () => {
    const items = ['a<b', 'c'].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>a&lt;b</li><li>c</li></ul>')
    expect(html`${html`<b>${html`<i>${'&'}</i>`}</b>`}`.text).toBe('<b><i>&amp;</i></b>')
  })

  test('that is empty becomes nothing', () => {
    expect(html`[${null}${undefined}${false}${''}${[]}]`.text).toBe('[]')
  })

  test('of zero is printed', () => {
    expect(html`${0} ${-1.5}`.text).toBe('0 -1.5')
  })

  test('is not read as a template', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it must stay as it is
    expect(html`${'${1}'}\\n`.text).toBe('${1}\\n')
  })

  test('that only looks like HTML from the tag is escaped', () => {
    const lookalike = { text: '<b>', toString: () => '<i>' } as unknown as string
    expect(html`${[String(lookalike)]}`.text).toBe('&lt;i&gt;')
    expect(new Html('<b>').text).toBe('<b>')
  })
})

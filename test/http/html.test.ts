import { describe, expect, test } from 'bun:test'
import { Html, html } from '../../src/http/html.ts'

const hostile = `<script>alert("x" & 'y')</script>`
const escaped = '&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;'

describe('what is given to the tag', () => {
  test('is escaped, in text and in attributes', () => {
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`)
  })

  test('is escaped inside lists and of any depth', () => {
    expect(html`${[hostile, [hostile]]}`.text).toBe(escaped + escaped)
  })

  test('is kept when it is HTML by the same tag', () => {
    const items = ['a<b', 'c'].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>a&lt;b</li><li>c</li></ul>')
    expect(html`${html`<b>${html`<i>${'&'}</i>`}</b>`}`.text).toBe('<b><i>&amp;</i></b>')
  })

  test('is nothing when there is nothing', () => {
    expect(html`[${null}${undefined}${false}${''}${[]}]`.text).toBe('[]')
  })

  test('is a number also when it is zero', () => {
    expect(html`${0} ${-1.5}`.text).toBe('0 -1.5')
  })

  test('is no template itself', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it must stay as it is
    expect(html`${'${1}'}\\n`.text).toBe('${1}\\n')
  })

  test('is not believed because it looks like HTML by the tag', () => {
    const lookalike = { text: '<b>', toString: () => '<i>' } as unknown as string
    expect(html`${[String(lookalike)]}`.text).toBe('&lt;i&gt;')
    expect(new Html('<b>').text).toBe('<b>')
  })
})

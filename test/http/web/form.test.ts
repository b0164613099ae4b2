import { describe, expect, test } from 'bun:test'
import { FORM_LIMIT, type Form, parseForm, readForm } from '../../../src/http/web/form.ts'

const TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const parse = (text: string): Form => parseForm(new TextEncoder().encode(text))
const send = (body: string | Uint8Array, headers: Record<string, string> = TYPE) =>
  readForm(new Request('http://localhost/', { method: 'POST', headers, body }))

describe('a form', () => {
  test('has what a browser encoded', () => {
    const fields = { name: 'Größe & "Co" = 5 % + 🚀', empty: '', 'na me': '\r\n' }
    const form = parse(new URLSearchParams(fields).toString())
    for (const [name, value] of Object.entries(fields)) expect(form.text(name)).toBe(value)
  })

  test('tells an empty field from a missing one, and takes the first value of a name', () => {
    const form = parse('a=&b=1&b=2&c')
    expect([form.has('a'), form.has('c'), form.has('d')]).toEqual([true, true, false])
    expect([form.text('a'), form.text('b'), form.text('d')]).toEqual(['', '1', ''])
    expect(form.has('__proto__') || form.has('constructor')).toBe(false)
  })

  test.each(['a=%00', 'a%00=b', 'a=b\0', 'a=%ED%A0%80', 'a=%FF', 'a=%', 'a=%zz', '%E2%82=x'])(
    'with %j is refused',
    (text) => {
      expect(() => parse(text)).toThrow('the form contains invalid text')
    },
  )

  test('of bytes that are not UTF-8 is refused', () => {
    expect(() => parseForm(Uint8Array.of(0x61, 0x3d, 0xff))).toThrow('the form contains invalid text')
  })
})

describe('a body', () => {
  test('of a form is read, with or without a charset', async () => {
    expect((await send('a=1')).text('a')).toBe('1')
    expect((await send('a=1', { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' })).text('a')).toBe(
      '1',
    )
  })

  test('that is empty is a form without fields', async () => {
    expect((await readForm(new Request('http://localhost/', { method: 'POST' }))).has('a')).toBe(false)
  })

  test.each(['multipart/form-data; boundary=x', 'application/json', 'text/plain'])(
    'of type %s is refused',
    async (type) => {
      await expect(send('a=1', { 'content-type': type })).rejects.toMatchObject({ code: 'invalid' })
    },
  )

  test('may have 64 kB and no more', async () => {
    const most = `a=${'x'.repeat(FORM_LIMIT.bytes - 2)}`
    expect((await send(most)).text('a')).toHaveLength(FORM_LIMIT.bytes - 2)
    await expect(send(`${most}x`)).rejects.toMatchObject({ code: 'too-large' })
  })

  test.each(['a', 'a=1', ''])('may have 1,000 fields like %j and no more', async (field) => {
    const most = Array(FORM_LIMIT.fields).fill(field).join('&')
    expect((await send(`${most}`)).list('a')).toHaveLength(field === '' ? 0 : FORM_LIMIT.fields)
    const refused = { code: 'too-large', message: 'the form has too many fields, send at most 1000' }
    await expect(send(`${most}&${field}`)).rejects.toMatchObject(refused)
  })

  test('with too many fields is refused before any of them is read', async () => {
    await expect(send('%zz&'.repeat(2_000))).rejects.toMatchObject({ code: 'too-large' })
  })

  test('has the limits that its route gives', async () => {
    const body = new TextEncoder().encode(Array(30).fill('a=1').join('&'))
    const read = (fields: number) =>
      readForm(new Request('http://localhost/', { method: 'POST', headers: TYPE, body }), {
        bytes: body.length,
        fields,
      })
    expect((await read(30)).list('a')).toHaveLength(30)
    await expect(read(29)).rejects.toMatchObject({ code: 'too-large' })
  })
})

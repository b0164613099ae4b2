/** A form with files is read as it arrives, wherever its chunks end. */
import { describe, expect, test } from 'bun:test'
import { boundaryOf, formParts, MultipartError } from '../../../src/lib/formats/multipart.ts'
import { rejection } from '../../support/store-builders.ts'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size)
}

async function partsOf(bytes: Uint8Array, boundary: string, size = 5) {
  const parts = []
  for await (const { name, fileName, chunks } of formParts(inChunks(bytes, size), boundary)) {
    parts.push([name, fileName, Buffer.concat(await Array.fromAsync(chunks)).toString('latin1')])
  }
  return parts
}

/** Encodes a form like the runtime, which does it like browsers. */
async function formOf(form: FormData) {
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const boundary = boundaryOf(request.headers.get('content-type')) ?? ''
  return { bytes: await request.bytes(), boundary }
}

describe('the parts of a form', () => {
  test.each([1, 2, 7, 100_000])('are its fields and its files, in chunks of %d bytes', async (size) => {
    const form = new FormData()
    form.set('program', 'project')
    form.set('empty', '')
    form.set('file', new File(['--\r\n--x\r\n\r\nbytes\0\xff'.repeat(20)], 'old data.json'))
    const { bytes, boundary } = await formOf(form)
    const file = new TextDecoder('latin1').decode(new TextEncoder().encode('--\r\n--x\r\n\r\nbytes\0\xff'.repeat(20)))
    expect(await partsOf(bytes, boundary, size)).toEqual([
      ['program', null, 'project'],
      ['empty', null, ''],
      ['file', 'old data.json', file],
    ])
  })

  test('may be left unread', async () => {
    const form = new FormData()
    form.set('file', new File(['x'.repeat(10_000)], 'a'))
    form.set('after', '1')
    const { bytes, boundary } = await formOf(form)
    const names = []
    for await (const { name } of formParts(inChunks(bytes, 100), boundary)) names.push(name)
    expect(names).toEqual(['file', 'after'])
  })

  test.each([
    ['', 'the form ends too early'],
    ['--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx', 'the form ends too early'],
    ['--b\r\ncontent-type: text/plain\r\n\r\nx\r\n--b--', 'a part has no name'],
    [`--b\r\n${'x: y\r\n'.repeat(10_000)}\r\n`, 'the head of a part is too long'],
    [`--b${'x'.repeat(100_000)}`, 'a line of a part is too long'],
  ])('are refused when they are broken', async (text, message) => {
    const error = await rejection(partsOf(new TextEncoder().encode(text), 'b', 1_000))
    expect(error).toBeInstanceOf(MultipartError)
    expect(error).toMatchObject({ message })
  })
})

test('the boundary is in the type of the body', () => {
  expect(boundaryOf('multipart/form-data; boundary=----WebKitFormBoundaryA1')).toBe('----WebKitFormBoundaryA1')
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"')).toBe('a b')
  expect(boundaryOf('application/x-www-form-urlencoded')).toBeNull()
  expect(boundaryOf(null)).toBeNull()
})

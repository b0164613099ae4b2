import { describe, expect, test } from 'bun:test'
import { copyBytes, copyHead, copyRow } from '../../../src/store/healthchecks/copy-text.ts'

describe('the text of COPY', () => {
  test('begins a block with the names of a table and of its columns', () => {
    expect(copyHead('COPY public.api_check (id, "desc", tags) FROM stdin;')).toEqual({
      table: 'api_check',
      columns: ['id', 'desc', 'tags'],
    })
    expect(copyHead('COPY "odd schema".api_flip (id) FROM stdin;')?.table).toBe('api_flip')
    expect(copyHead('-- COPY public.api_check (id) FROM stdin;')).toBeNull()
    expect(copyHead("COPY public.api_check (id) FROM '/tmp/file';")).toBeNull()
  })

  test('separates values by tabs; NULL is not the text of it', () => {
    expect(copyRow('1\t\\N\t\tN\t\\\\N')).toEqual(['1', null, '', 'N', '\\N'])
  })

  test('escapes line ends, tabs, backslashes and codes', () => {
    expect(copyRow('a\\tb\\nc\\\\d\\be\\x41\\101\\q')).toEqual(['a\tb\nc\\d\beAAq'])
  })

  test('has bytes in both formats', () => {
    expect(copyBytes('\\x00ff41')).toEqual(new Uint8Array([0, 255, 0x41]))
    expect(copyBytes('a\\000\\377\\\\')).toEqual(new Uint8Array([0x61, 0, 255, 0x5c]))
  })
})

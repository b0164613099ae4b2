import { describe, expect, test } from 'bun:test'
import {
  copyBytes,
  copyColumns,
  copyHead,
  copyValue,
} from '../../../../src/import/from-healthchecks/database/copy-text.ts'

/** Parses a row of so many values. */
function copyRow(text: string, width: number): (string | null)[] | null {
  const line = Buffer.from(text)
  const columns = copyColumns(line, width)
  return columns && Array.from({ length: width }, (_, index) => copyValue(line, columns, index)?.toString() ?? null)
}

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
    expect(copyRow('1\t\\N\t\tN\t\\\\N', 5)).toEqual(['1', null, '', 'N', '\\N'])
  })

  test('has as many values as its table, and of a row with more nothing is kept', () => {
    expect(copyRow('1\t2', 2)).toEqual(['1', '2'])
    expect(copyRow('1\t2', 1)).toBeNull()
    expect(copyRow('1\t2', 3)).toBeNull()
    expect(copyRow('', 1)).toEqual([''])
    expect(copyRow('\t'.repeat(10_000_000), 30)).toBeNull()
  })

  test('escapes line ends, tabs, backslashes and codes', () => {
    expect(copyRow('a\\tb\\nc\\\\d\\be\\x41\\101\\q', 1)).toEqual(['a\tb\nc\\d\beAAq'])
    expect(copyRow('\\xc3\\xa4\\303\\274ß\\xg\\', 1)).toEqual(['äüßxg\\'])
  })

  test('has bytes in both formats', () => {
    expect(copyBytes(Buffer.from('\\x00ff41'))).toEqual(new Uint8Array([0, 255, 0x41]))
    expect(copyBytes(Buffer.from('a\\000\\377\\\\'))).toEqual(new Uint8Array([0x61, 0, 255, 0x5c]))
  })
})

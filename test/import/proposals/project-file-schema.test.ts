/** Values that the schemas of a project file accept. */
import { expect, test } from 'bun:test'
import { FilePing } from '../../../src/domain/project-file/project-file.ts'
import { fits, listProblems } from '../../../src/domain/schema.ts'

const ping = (body_base64: string) => ({
  ...{ check: crypto.randomUUID(), n: 1, at: '2026-05-04T10:00:00Z', kind: 'success' },
  ...{ scheme: 'http', method: 'POST', ua: '', body_base64 },
})

test('base64 may be as long as it wants', () => {
  expect(fits(FilePing, ping('QUJD'.repeat(7_500_000)))).toBe(true)
  expect(fits(FilePing, ping(`${'QUJD'.repeat(7_500_000)}QUI=`))).toBe(true)
})

test.each(['QUJ', 'QUJD=', 'Q===', 'QU=D', 'QU-D', 'QUJD\n', '====QUJD'])('%j is no base64', (text) => {
  expect(fits(FilePing, ping(text))).toBe(false)
  expect(listProblems(FilePing, ping(text), 1)).toMatchObject([{ path: '/body_base64', means: 'in base64' }])
})

test.each(['', 'QQ==', 'QUI=', 'QUJD'])('%j is', (text) => {
  expect(fits(FilePing, ping(text))).toBe(true)
})

/** The subject of an email. */
import { describe, expect, test } from 'bun:test'
import { subjectOf } from '../../../src/domain/log/log-entry.ts'
import { bytes } from '../../support/builders.ts'

const start = (text: string, more = 0) => ({ bytes: bytes(text), size: bytes(text).length + more, contentType: null })

describe('the subject of an email', () => {
  test.each([
    ['From: a@example.org\r\nSubject: Backup done\r\n\r\nSubject: no', 'Backup done'],
    ['SUBJECT:Backup\n\t done\nTo: b@example.org\n\n', 'Backup done'],
    ['Subject: only', 'only'],
    ['From: a@example.org\r\n\r\nSubject: no', null],
    ['', null],
  ])('of %j is %j', (message, subject) => {
    expect(subjectOf(start(message))).toBe(subject)
  })

  test('of an old program is read as windows-1252', () => {
    const raw = Buffer.from('Subject: Gr\xf6\xdfe\r\n\r\nx', 'latin1')
    expect(subjectOf({ bytes: raw, size: raw.length })).toBe('Größe')
  })

  test('is unknown when the beginning of the message ends in it', () => {
    expect(subjectOf(start('Subject: Backup', 10))).toBeNull()
    expect(subjectOf(start('Subject: Backup\r\n', 10))).toBe('Backup')
  })
})

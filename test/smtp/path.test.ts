/** The paths of MAIL and RCPT, as careless clients write them. */
import { describe, expect, test } from 'bun:test'
import { readPath } from '../../src/smtp/path.ts'

describe('a path', () => {
  test.each([
    ['MAIL FROM:<a@b.example> SIZE=1 BODY=8BITMIME', 'a@b.example', 'SIZE=1 BODY=8BITMIME'],
    ['mail\tfrom : < a@b.example >', 'a@b.example', ''],
    ['MAIL FROM a SIZE=1', 'a', 'SIZE=1'],
    ['MAIL FROM:"<a>"@b <c@d.example> SIZE=1', 'a', '"@b <c@d.example> SIZE=1'],
    ['MAIL FROM:<"a>b"@c.example>', '"a>b"@c.example', ''],
    ['MAIL FROM:<"a+b"@c.example>', 'a+b@c.example', ''],
    ['MAIL FROM:<a SIZE=1', 'a', 'SIZE=1'],
    ['MAIL FROM:a> SIZE=1', 'a', 'SIZE=1'],
    ['MAIL FROM:<<a>>', 'a', '>'],
    ['MAIL FROM:a AUTH=<>', 'a', 'AUTH=<>'],
    ['MAIL FROM:<> AUTH=<>', '', 'AUTH=<>'],
    ['MAIL FROM:<mailto:a@b.example>', 'a@b.example', ''],
    ["MAIL FROM:'a@b.example'", 'a@b.example', ''],
    ['MAIL FROM:<"a@b.example">', 'a@b.example', ''],
    ['MAIL FROM:<a@b.example;>', 'a@b.example', ''],
    ['MAIL FROM:', '', ''],
    ['MAIL FROM', '', ''],
  ])('of %j is read', (line, address, parameters) => {
    expect(readPath(line, 'MAIL FROM')).toEqual({ address, parameters })
  })

  test('is not read from another command', () => {
    for (const line of ['MAIL TO:<a>', 'MAILFROM:<a>', 'MAIL FROMAGE:<a>', 'RCPT FROM:<a>', 'x MAIL FROM:<a>']) {
      expect(readPath(line, 'MAIL FROM')).toBeNull()
    }
  })

  test('is read in time that grows with the line', () => {
    const started = performance.now()
    for (const part of [' ', '"', '\\', '<', '@a,', '"\\', '@a:']) {
      for (const begin of ['RCPT TO:', 'RCPT TO:<', 'RCPT TO:<"']) readPath(begin + part.repeat(20_000), 'RCPT TO')
    }
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

/** Stored facts and texts of refused requests whose URL names a check. */
import { describe, expect, test } from 'bun:test'
import { refusedSentence, refusedTail } from '../../../src/domain/cause/refused.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { isStorable } from '../../../src/lib/text/text.ts'
import { at, CHECK_ID } from '../../support/builders.ts'

function says(lastTail: string, n = 1): string {
  return sentenceText(refusedSentence({ n, lastTail, lastAt: at('03:12') }), { now: at('12:00'), tz: 'UTC' })
}

describe('a refused request', () => {
  test.each(['3221225477', '-1', '256', '+1'])(
    'with the exit status %s is told with what to send instead',
    (status) => {
      expect(says(`/${status}`)).toBe(
        `The exit status ${status} was refused at 03:12: only 0 to 255 count. Send /fail for it.`,
      )
    },
  )

  test('that was not the only one is told with their number', () => {
    expect(says('/-1', 2)).toBe(
      'Pings were refused twice, last at 03:12 for the exit status -1: only 0 to 255 count. Send /fail for it.',
    )
    expect(says('/-1', 1_200)).toStartWith('Pings were refused 1,200 times, last at 03:12 for the')
  })

  test.each([
    ['/FAIL', 'The ending ‘/FAIL’ of a ping URL was refused at 03:12: write it in lower case: /fail.'],
    ['/start/', 'The ending ‘/start/’ of a ping URL was refused at 03:12: write /start and nothing else.'],
    ['?rid=7', 'The run id ‘7’ was refused at 03:12: a run id must be a UUID with hyphens.'],
    [
      '?at=noon',
      'The time ‘noon’ of a late ping was refused at 03:12: at must be milliseconds since 1970, or a time with its zone, at most 72 hours before the ping arrives.',
    ],
    ['Nightly', 'The slug ‘Nightly’ was refused at 03:12: write it in lower case.'],
    [
      'nightly',
      'The slug ‘nightly’ was refused at 03:12: several checks share it. Give each a slug of its own, or ping by UUID.',
    ],
    ['', 'The UUID of a ping URL was refused at 03:12: write it right after /ping/, in lower case and with hyphens.'],
    [
      'mailto:+fail',
      'The ending ‘+fail’ of an email address was refused at 03:12: leave it out. The rules of the check say which keywords in the subject or the text mark a start or a failure.',
    ],
    [
      'mailto:@example.org',
      'The domain ‘example.org’ of an email was refused at 03:12: copy the address from the check page.',
    ],
    ['mailto:', 'The UUID of an email address was refused at 03:12: write it with hyphens, and nothing before it.'],
    [
      '/silence?for=20',
      'The silence ‘for=20’ was refused at 03:12: write /silence?for=20m, with s, m, h or d, from one minute to 30 days, or /silence?until=healthy.',
    ],
    [
      '/silence',
      'The silence without an end was refused at 03:12: write /silence?for=20m, with s, m, h or d, from one minute to 30 days, or /silence?until=healthy.',
    ],
    ['//', 'The double slash in a ping URL was refused at 03:12: write a single one.'],
  ])('for %j says what to change', (tail, words) => {
    expect(says(tail)).toBe(words)
  })

  test.each([
    ['/Start/', 'write it in lower case: /start.'],
    ['/Unsilence', 'write it in lower case: /unsilence.'],
    ['/0/', 'write /0 and nothing else.'],
    ['//fail', 'write /fail and nothing else.'],
    ['%2Ffail', 'write /fail and nothing else.'],
    ['/1%20', 'write /1 and nothing else.'],
    ['%0D', 'leave it out.'],
    ['/', 'leave it out.'],
    ['/success', 'leave it out: the URL for a success has no ending.'],
    ['/OK', 'leave it out: the URL for a success has no ending.'],
    ['/complete', 'leave it out: the URL for a success has no ending.'],
    ['/failure', 'write /fail.'],
    ['/run', 'write /start.'],
    [
      '/$',
      'only /start, /fail, /log, /silence, /unsilence or an exit status may follow; the URL for a success has no ending.',
    ],
    [
      '/fail/1',
      'only /start, /fail, /log, /silence, /unsilence or an exit status may follow; the URL for a success has no ending.',
    ],
    [
      '/backup',
      'only /start, /fail, /log, /silence, /unsilence or an exit status may follow; the URL for a success has no ending.',
    ],
  ])('that ends in %j says what to send', (tail, advice) => {
    expect(says(tail)).toBe(`The ending ‘${tail}’ of a ping URL was refused at 03:12: ${advice}`)
  })

  test('by somebody hostile is shown on one line', () => {
    expect(says('/\u001b[31m\n\u202eliaf')).toStartWith('The ending ‘/[31m liaf’ of a ping URL was refused')
    expect(says(`/${'9'.repeat(39)}`)).toStartWith('The exit status 9')
  })
})

describe('what is kept', () => {
  test('is short and storable', () => {
    expect(refusedTail(`/${'9'.repeat(500)}`)).toBe(`/${'9'.repeat(38)}…`)
    for (const text of ['/a\0b', `/${'x'.repeat(37)}😀😀`, '/\ud800']) {
      expect(isStorable(refusedTail(text))).toBeTrue()
      expect(refusedTail(text).length).toBeLessThanOrEqual(40)
    }
    expect(says(refusedTail(`/${'9'.repeat(500)}`))).toStartWith('The exit status 999')
  })

  test('allows no pings', () => {
    expect(refusedTail(`/http://localhost/ping/${CHECK_ID}`)).not.toContain(CHECK_ID.slice(0, 8))
    expect(refusedTail(`/${'x'.repeat(20)}/${CHECK_ID}`)).not.toContain(CHECK_ID.slice(0, 8))
  })
})

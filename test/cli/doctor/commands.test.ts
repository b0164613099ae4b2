/** `overdue doctor --stdin`. */
import { describe, expect, test } from 'bun:test'
import { doctorLines } from '../../domain/advice/vectors.ts'
import { run } from '../../support/command-line.ts'

const doctor = (input: string) => run(['doctor', '--stdin'], {}, input)

const VECTORS = doctorLines()
const lineOf = (wanted: string) => VECTORS.find(({ name }) => name === wanted)?.line ?? ''

async function answersTo(...lines: readonly string[]) {
  const { code, out, err } = await doctor(`${lines.join('\n')}\n`)
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { code, err, answers }
}

describe('overdue doctor --stdin', () => {
  test('answers each case with the advice that is shown, its fix and its sentence in the zone of the check', async () => {
    const lines = ['unwatched: never (2)', 'unwatched: once', 'grace silent: fits (1)'].map(lineOf)
    expect(await answersTo(...lines)).toEqual({
      code: 0,
      err: '',
      answers: [
        {
          advice: 'unwatched',
          variant: 'never',
          fix: { text: 'ping-line' },
          sentence:
            'Never pinged in 2 d 7 h, though its first run was due on 13 Jan at 03:00 (Europe/Berlin). A check that was never pinged never alerts.',
        },
        {
          advice: 'unwatched',
          variant: 'once',
          fix: { text: 'ping-line' },
          sentence: 'Pinged once, on 13 May at 01:00 UTC, and 12 runs have been missed since.',
        },
        { advice: null, variant: null, fix: null, sentence: null },
      ],
    })
  })

  test('answers a case that tries settings with the alerts that they would have sent', async () => {
    const tried = VECTORS.filter(({ name }) => name.startsWith('woken: '))
    const { answers } = await answersTo(...tried.map(({ line }) => line))
    expect(answers).toEqual(tried.map(({ expect }) => expect))
  })

  test('names a line that is no case, answers the others, and ends with status 2', async () => {
    const { code, err, answers } = await answersTo(
      lineOf('untold: no integration'),
      '{"check": 5, "now": "2026-05-03T04:00:00Z", "log": []}',
      '',
      'junk',
    )
    expect({ code, err }).toEqual({ code: 2, err: '' })
    expect(answers).toEqual([
      { advice: 'untold', variant: 'none', fix: { ask: 'channels' }, sentence: 'This check alerts no one.' },
      { error: 'line 2: check is not an object' },
      { error: 'line 3: this is not valid JSON; each line is one JSON object' },
      { error: 'line 4: this is not valid JSON; each line is one JSON object' },
    ])
  })

  test('of one CHECK reads no cases', async () => {
    const err = expect.stringContaining('--stdin takes neither a CHECK nor --project')
    expect(await run(['doctor', 'backup', '--stdin'], {})).toMatchObject({ code: 2, out: '', err })
  })
})

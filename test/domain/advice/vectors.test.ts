/** The recorded cases, each with the advice that it must give. */
import { describe, expect, test } from 'bun:test'
import type { Advice } from '../../../src/domain/advice/advice.ts'
import { advise } from '../../../src/domain/advice/advise.ts'
import { readCase } from '../../../src/domain/advice/cases.ts'
import { representFix } from '../../../src/domain/advice/represent.ts'
import { doctorLines } from './vectors.ts'

const CASES = doctorLines().filter(({ name }) => !name.startsWith('woken: '))

describe('silent', () => {
  const silent = CASES.filter(({ expect: { advice } }) => advice === null)
  test.each(silent.map(({ name, line }) => [name, line]))('%s', (_, line) => {
    const { facts, now } = readCase(line)
    expect(advise(facts, now).map(briefly)).toEqual([])
  })
})

describe('said', () => {
  const said = CASES.filter(({ expect: { advice } }) => advice !== null)
  test.each(said.map(({ name, line, expect: { advice, fix } }) => [name, line, advice, fix] as const))(
    '%s',
    (_, line, kind, fix) => {
      const { facts, now } = readCase(line)
      const [first, ...others] = advise(facts, now)
      expect({ advice: first?.kind, fix: first && representFix(first.fix), others: others.map(briefly) }).toMatchObject(
        {
          advice: kind,
          fix,
        },
      )
    },
  )
})

function briefly({ kind, variant, fix }: Advice): string {
  return `${kind}/${variant} ${JSON.stringify(representFix(fix))}`
}

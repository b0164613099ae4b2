/** The doctor is silent about made-up histories of each kind of healthy job. */
import { expect, test } from 'bun:test'
import { HEALTHY } from '../../test/support/jobs/healthy/all.ts'
import { wrongsOf } from '../../test/support/jobs/judged.ts'
import { HISTORIES, LATER_LOOKS, MAY_BE_WRONG, SEED } from './support/amounts.ts'

test.each(HEALTHY.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  const wrongs = wrongsOf(kind, SEED, HISTORIES, LATER_LOOKS)
  const amount = [...wrongs.values()].reduce((sum, count) => sum + count, 0)
  if (amount > MAY_BE_WRONG) expect(wrongs).toEqual(new Map())
})

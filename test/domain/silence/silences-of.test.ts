/** Selection of the silences that may match a check. */
import { expect, test } from 'bun:test'
import { silencesOf } from '../../../src/domain/silence/silences-of.ts'
import { aCheck, aSilence } from '../../support/builders.ts'

test('a check is asked about the silences that name it and those that name none, of its project', () => {
  const [job, other] = [aCheck({ id: 'a' }), aCheck({ id: 'b' })]
  const naming = (id: string, ...checks: string[]) => aSilence({ id, match: { checks, tags: [] } })
  const own = naming('s0', 'a', 'c')
  const general = aSilence({ id: 's1', match: { checks: [], tags: ['prod'] } })
  const elsewhere = aSilence({ id: 's2', projectId: 'elsewhere', match: { checks: [], tags: [] } })
  const ask = silencesOf([own, naming('s3', 'b'), naming('s4', 'd'), general, elsewhere], [job, other])
  expect(ask(job).map(({ id }) => id)).toEqual(['s1', 's0'])
  expect(ask(other).map(({ id }) => id)).toEqual(['s1', 's3'])
  expect(silencesOf([], [job])(job)).toEqual([])
})

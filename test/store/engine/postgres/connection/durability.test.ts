import { expect, test } from 'bun:test'
import { durabilityOf } from '../../../../../src/store/engine/postgres/connection/durability.ts'

const PRODUCTION = { fsync: 'on', synchronous_commit: 'on', synchronous_standby_names: '' }
const WITH_STANDBYS = { ...PRODUCTION, synchronous_standby_names: 'ANY 1 (a, b)' }

test.each([
  ['without a synchronous standby, on one disk', PRODUCTION, 'disk'],
  ['if the list of standbys is blank, on one disk', { ...PRODUCTION, synchronous_standby_names: ' ' }, 'disk'],
  ['with a synchronous standby, on the disk of both', WITH_STANDBYS, 'standby-disk'],
  ['that waits until it can be read there, on the disk of both', at('remote_apply'), 'standby-disk'],
  ['that waits for the memory of the standby, there only', at('remote_write'), 'standby-memory'],
  ['that does not wait for the standbys, on one disk', at('local'), 'disk'],
  ['that waits for nothing, on no disk', at('off'), 'memory'],
  ['of a server without fsync, on no disk', { ...WITH_STANDBYS, fsync: 'off' }, 'memory'],
] as const)('a commit is, %s', (_, settings, durability) => {
  expect(durabilityOf(settings)).toBe(durability)
})

function at(level: string) {
  return { ...WITH_STANDBYS, synchronous_commit: level }
}

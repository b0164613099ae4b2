/** All exit statuses, and long outputs, through the real client. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Place, place } from '../../test/run/support.ts'
import { STATUSES } from './statuses.ts'

let at: Place
beforeAll(() => {
  at = place()
})
afterAll(() => at.close())

test('each exit status of a command is the client’s, and the end’s', async () => {
  const ran = await at.sh(`for n in ${STATUSES.join(' ')}; do run -- sh -c "exit $n"; echo $?; done`)
  expect(ran.out).toBe(STATUSES.map((status) => `${status}\n`).join(''))
  expect(ran.told.filter(({ what }) => what !== 'backup/start').map(({ what }) => what)).toEqual(
    STATUSES.map((status) => `backup/${status}`),
  )
})

test('100 MB pass unchanged to a slow reader, and the memory for them is bounded', async () => {
  const most = `/VmHWM/ { print $2 }`
  // The command reads the memory of its parent, at its start and at its end.
  const command = `awk '${most}' /proc/$PPID/status >&2; seq 1 12400000; awk '${most}' /proc/$PPID/status >&2`
  const ran = await at.sh(`run -- sh -c "$COMMAND" | (sleep 1; md5sum); seq 1 12400000 | md5sum`, { COMMAND: command })
  const [ours, without] = ran.out.trim().split('\n')
  expect(ours).toBe(without ?? '')
  const [before = 0, after = 0] = ran.err.trim().split('\n').map(Number)
  expect(before).toBeGreaterThan(10_000)
  expect(after - before).toBeLessThan(25_000)
  expect(ran.told.at(-1)?.body.length).toBeLessThanOrEqual(100_000)
})

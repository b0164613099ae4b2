/** Adds a check to a prepared database whose job ran every night for half a year, with starts and bodies. */
import { createDeps } from '../../src/app/deps.ts'
import { readConfig } from '../../src/config/config.ts'
import { addSeconds } from '../../src/lib/time.ts'
import { upsertCheck } from '../../src/services/checks/checks.ts'
import { rules } from '../../src/services/common/rules.ts'
import { getKeyActor } from '../../src/services/projects/keys.ts'
import { setPingLogLimit } from '../../src/services/projects/projects.ts'
import { PING } from './model.ts'
import { databaseFile, type Prepared } from './prepare.ts'

const NIGHTS = 180
const DAY_SECONDS = 86_400
const LOG_LIMIT = 1_000
const BODY_BYTES = 1_000

/** @returns its UUID */
export async function addNightlyCheck({ directory, apiKey }: Prepared): Promise<string> {
  const deps = await createDeps(readConfig({ DATABASE_URL: `sqlite:${databaseFile(directory)}` }), () => {})
  try {
    const actor = await getKeyActor(deps, apiKey, null)
    await setPingLogLimit(deps, actor, LOG_LIMIT)
    const spec = { name: 'Nightly report', schedule: '0 2 * * *', tz: 'Europe/Riga' }
    const { check } = await upsertCheck(deps, actor, spec, false)
    const body = new Uint8Array(BODY_BYTES).fill(120)
    const first = addSeconds(deps.now(), -NIGHTS * DAY_SECONDS)
    for (let night = 0; night < NIGHTS; night++) {
      const began = addSeconds(first, night * DAY_SECONDS + ((night * 37) % 240))
      const target = { kind: 'id', id: check.id } as const
      const start = { target, signal: { ...PING, action: 'start' } as const, receivedAt: began }
      const end = { target, signal: { ...PING, body }, receivedAt: addSeconds(began, 300) }
      await deps.store.pings.commit([start, end], rules(deps))
    }
    return check.id
  } finally {
    await deps.closeCarriers()
    await deps.store.close()
  }
}

/** A channel for all checks of a prepared database. */
import { Database } from 'bun:sqlite'
import type { Instant } from '../../src/lib/time.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { getProject } from '../../src/services/projects/projects.ts'
import { aChannel, anAuthor } from '../../test/support/store-builders.ts'
import { databaseFile } from './prepare.ts'

/** Creates a webhook whose host has no address, so that no alert leaves the machine, and assigns it to all checks. */
export async function assignChannel(deps: Deps, directory: string, createdAt: Instant): Promise<void> {
  const channel = aChannel(await getProject(deps, 'bench'), { createdAt })
  await deps.store.by(anAuthor({ at: createdAt })).channels.create(channel)
  using database = new Database(databaseFile(directory), { strict: true })
  database.run('INSERT INTO check_channels (check_id, channel_id) SELECT id, $1 FROM checks', [channel.id])
}

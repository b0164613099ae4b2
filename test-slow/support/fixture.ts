/** Surroundings for tests of faults: a folder, servers on files in it, small disks. All are removed after the test. */
import { afterEach, beforeEach, expect } from 'bun:test'
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { type Served, serve } from '../../test/support/served.ts'
import { rejection } from '../../test/support/store-builders.ts'
import { type Client, client, TRY_AGAIN } from './client.ts'
import { type Disk, smallDisk } from './disk.ts'

export interface StoppableServer extends Served {
  /** Stops the server. Further calls do nothing. */
  stopped(): Promise<void>
}

export function stoppable(served: Served): StoppableServer {
  let stopping: Promise<void> | null = null
  const stopped = () => {
    stopping ??= served.stop()
    return stopping
  }
  return { ...served, stopped }
}

interface Fixture {
  readonly folder: Folder
  /** The database that servers use by default. */
  readonly path: string
  /** @param settings added to the usual ones, which they override */
  server(file?: string, settings?: Readonly<Record<string, string>>): Promise<StoppableServer>
  serverWithClient(
    file?: string,
    settings?: Readonly<Record<string, string>>,
  ): Promise<{ served: StoppableServer; c: Client }>
  /** Starts a server that is expected to fail. @returns the error message */
  failedStart(file?: string): Promise<string>
  disk(size: string): Disk
  /** Runs `work` after the test, even when it fails; the last one added runs first. */
  atEnd(work: () => unknown): void
}

/** Call it at the top level of a test file. */
export function fixture(): Fixture {
  let folder: Folder
  let ends: (() => unknown)[]
  beforeEach(() => {
    folder = folderOnDisk()
    ends = []
  })
  afterEach(async () => {
    for (const end of ends.toReversed()) await end()
    folder.remove()
  })
  const self: Fixture = {
    get folder() {
      return folder
    },
    get path() {
      return folder.file('o.db')
    },
    async server(file = self.path, settings = {}) {
      const served = stoppable(await serve({ DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'error', ...settings }))
      ends.push(served.stopped)
      return served
    },
    async serverWithClient(file = self.path, settings = {}) {
      const served = await self.server(file, settings)
      return { served, c: await client(`sqlite:${file}`, served.baseUrl) }
    },
    failedStart: async (file = self.path) => String(await rejection(serve({ DATABASE_URL: `sqlite:${file}` }))),
    disk(size) {
      const made = smallDisk(size)
      ends.push(() => made.remove())
      return made
    },
    atEnd: (work) => void ends.push(work),
  }
  return self
}

/** Expects reads of single checks, lists and logs to succeed. */
export async function expectReadable(c: Client, check: string): Promise<void> {
  for (const path of ['checks/', `checks/${check}`, `checks/${check}/pings/`, `checks/${check}/flips/`, 'status/']) {
    expect(`${path} ${(await c.api(path)).status}`).toBe(`${path} 200`)
  }
}

/** @returns status and text of `/readyz` */
export async function readiness({ baseUrl }: Pick<Served, 'baseUrl'>): Promise<string> {
  const answer = await fetch(`${baseUrl}/readyz`)
  return `${answer.status} ${await answer.text()}`
}

export async function expectApiRefuses(c: Client): Promise<void> {
  const answer = await c.api('checks/', { name: 'not now' })
  expect([answer.status, await answer.json()]).toEqual([503, { error: TRY_AGAIN }])
}

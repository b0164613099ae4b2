/** What a test of a fault works with: a folder, servers on files in it, small disks; all gone when the test ends. */
import { afterEach, beforeEach, expect } from 'bun:test'
import { type Served, serve } from '../../test/support/served.ts'
import { type Folder, temporaryFolder } from '../../test/support/sqlite.ts'
import { rejection } from '../../test/support/store-builders.ts'
import { type Disk, smallDisk } from './disk.ts'
import { type Client, client, TRY_AGAIN } from './load.ts'

export interface StoppableServer extends Served {
  /** Stops it, once however often it is called. */
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

export interface Scene {
  readonly folder: Folder
  /** The database of servers that are given no other. */
  readonly path: string
  /** @param settings put over those of a test server */
  server(file?: string, settings?: Readonly<Record<string, string>>): Promise<StoppableServer>
  serverWithClient(
    file?: string,
    settings?: Readonly<Record<string, string>>,
  ): Promise<{ served: StoppableServer; c: Client }>
  /** What the program says when it does not start. */
  failedStart(file?: string): Promise<string>
  disk(size: string): Disk
  /** Also done when an expectation fails; the last comes first. */
  atEnd(work: () => unknown): void
}

/** To be called where tests are described. */
export function scene(): Scene {
  let folder: Folder
  let ends: (() => unknown)[]
  beforeEach(() => {
    folder = temporaryFolder()
    ends = []
  })
  afterEach(async () => {
    for (const end of ends.toReversed()) await end()
    folder.remove()
  })
  const self: Scene = {
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

/** Reads go on: single checks, lists, logs. */
export async function expectReadable(c: Client, check: string): Promise<void> {
  for (const path of ['checks/', `checks/${check}`, `checks/${check}/pings/`, `checks/${check}/flips/`, 'status/']) {
    expect(`${path} ${(await c.api(path)).status}`).toBe(`${path} 200`)
  }
}

/** Status and text for those who ask whether the server can do its work. */
export async function readiness({ baseUrl }: Pick<Served, 'baseUrl'>): Promise<string> {
  const answer = await fetch(`${baseUrl}/readyz`)
  return `${answer.status} ${await answer.text()}`
}

export async function expectApiRefuses(c: Client): Promise<void> {
  const answer = await c.api('checks/', { name: 'not now' })
  expect([answer.status, await answer.json()]).toEqual([503, { error: TRY_AGAIN }])
}

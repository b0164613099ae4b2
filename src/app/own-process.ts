/** Figures that the operating system reports about this process, and the command that runs this program again. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../../package.json'
import { codeOf } from '../lib/errors.ts'
import type { Instant } from '../lib/time.ts'
import type { DiskSpace, ProcessFigures } from '../services/common/deps.ts'

export function ownFigures(startedAt: Instant): ProcessFigures {
  return {
    version,
    startedAt,
    residentMemory: () => process.memoryUsage.rss(),
    cpuSeconds() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000_000
    },
    descriptors: createDescriptorCount(),
    collectGarbage: () => Bun.gc(true),
  }
}

/** Counts open file descriptors, on Linux only. Listing them also needs a descriptor. If none is free, all of them are open. */
function createDescriptorCount(): ProcessFigures['descriptors'] {
  let limit = 0
  return () => {
    try {
      limit = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
      return { open: readdirSync('/proc/self/fd').length, limit }
    } catch (error) {
      return codeOf(error) === 'EMFILE' ? { open: limit, limit } : null
    }
  }
}

/** @returns null if the system does not report it */
export async function diskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch {
    return null
  }
}

/** First command-line argument of the process that reads imports started on pages. */
export const IMPORT_READER = 'import-reader'

/** @returns the command line that runs this program: the same Bun with the source, or the compiled executable */
export function ownProgram(): string[] {
  const isCompiled = import.meta.path.startsWith('/$bunfs/')
  return isCompiled ? [process.execPath] : [process.execPath, join(import.meta.dir, '../main.ts')]
}

/** Checks for the files that Docker and Podman create. Kubernetes may create neither. */
export function isInContainer(): boolean {
  return ['/.dockerenv', '/run/.containerenv'].some((mark) => existsSync(mark))
}

/** Looks for damage in a file in a thread of its own, since a large file takes a second, in which nothing else would run. */
import { Database as Connection } from 'bun:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../lib/errors.ts'
import { damageOf } from '../backup/backup-file.ts'
import { damageWords } from './faults.ts'

/** What the thread is given: the path of the file. What it answers: the first problem; null if there is none. */
function look(path: string): string | null {
  const connection = new Connection(path, { readonly: true })
  try {
    return damageOf(connection, 'quick_check')
  } catch (error) {
    return damageWords(error) ?? messageOf(error)
  } finally {
    connection.close()
  }
}

parentPort?.postMessage(look(workerData))

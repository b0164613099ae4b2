/** Implements `overdue project export`. */
import { open, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { operatorIn } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import { codeOf, reasonOf } from '../../lib/errors.ts'
import { megabytes, oneLine } from '../../lib/text/text.ts'
import { exportProject } from '../../services/projects/project-export.ts'
import { getProject } from '../../services/projects/projects.ts'
import type { Context } from '../command.ts'
import { optionError } from '../usage.ts'

export async function writeFile(context: Context): Promise<undefined> {
  const { openDeps, argument: idOrName, values, print, write, isOnTerminal } = context
  if (values.output === undefined && isOnTerminal) {
    throw optionError(
      'the file holds secrets, which a terminal would show',
      'give --output FILE, or send the output into a file',
    )
  }
  const deps = await openDeps()
  const project = await getProject(deps, idOrName)
  const pieces = () => exportProject(deps, operatorIn(project), values['with-log'] === true)
  if (values.output === undefined) {
    for await (const piece of pieces()) await write(piece)
    return
  }
  const path = resolve(String(values.output))
  const bytes = await writeNew(path, pieces)
  print(
    { file: path, bytes, project: project.id, log: values['with-log'] === true },
    `${path} contains the project ${oneLine(project.name)} (${megabytes(bytes)}). It contains secrets: store it as safely as passwords.`,
  )
}

/**
 * Writes a file that only the current user may read. If writing fails, the file is removed. @throws Refusal `file-exists`,
 * `file-unwritable`
 */
async function writeNew(path: string, pieces: () => AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((error) => {
    if (codeOf(error) === 'EEXIST') throw new Refusal('file-exists', `${path} already exists`, { path })
    throw unwritable(path, error)
  })
  let bytes = 0
  try {
    for await (const piece of pieces()) {
      await file.writeFile(piece).catch((error) => Promise.reject(unwritable(path, error)))
      bytes += piece.length
    }
    await file.sync()
    return bytes
  } catch (error) {
    await unlink(path).catch(() => {})
    throw error
  } finally {
    await file.close()
  }
}

function unwritable(path: string, error: unknown): Refusal {
  return new Refusal('file-unwritable', `cannot write ${path}: ${reasonOf(error)}`, { path })
}

/** Implements the `overdue project` commands. */

import { operatorIn } from '../../domain/actor.ts'
import type { Project } from '../../domain/project.ts'
import { oneLine } from '../../lib/text/text.ts'
import { needsFirstAccount } from '../../services/accounts/sign-in/first-account.ts'
import { deleteProject } from '../../services/projects/project-deletion.ts'
import {
  countContents,
  createProject,
  type FreshKeys,
  getProject,
  listProjects,
  setPingLogLimit,
  setSearch,
  setTimeZone,
} from '../../services/projects/projects.ts'
import { ON_OFF } from '../choices.ts'
import type { Context, ExitStatus } from '../command.ts'
import { shellWord } from '../hints.ts'
import { readZone } from '../times.ts'
import { optionError } from '../usage.ts'

const represent = ({ id, name, pingLogLimit, isSearched, tz }: Project) => ({
  id,
  name,
  ping_log_limit: pingLogLimit,
  search: isSearched,
  tz,
})

export function representKeys({ apiKey, apiKeyReadonly, pingKey }: FreshKeys) {
  return { api_key: apiKey, api_key_readonly: apiKeyReadonly, ping_key: pingKey }
}

/** Value of `--tz` that removes a project's time zone. */
const NO_ZONE = 'none'

/** Runs `overdue project create`. */
export async function create({ openDeps, argument: name, print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const { project, keys } = await createProject(deps, name)
  print(
    { id: project.id, name: project.name, ...representKeys(keys), channels: [] },
    [
      `project             ${oneLine(project.name)} (${project.id})`,
      `API key             ${keys.apiKey}`,
      `API key, read-only  ${keys.apiKeyReadonly}`,
      `ping key            ${keys.pingKey}`,
      'Save the API keys now: only their hashes are stored, so they cannot be shown again.',
      (await needsFirstAccount(deps))
        ? 'The project has no owner; the first account will own it.'
        : `The project has no owner until you add a member: \`overdue project member add ${shellWord(oneLine(project.name))} EMAIL --role owner\``,
    ].join('\n'),
  )
}

/** Runs `overdue project list`. */
export async function list({ openDeps, print }: Context): Promise<undefined> {
  const projects = await listProjects(await openDeps())
  const rows = projects.map(({ id, name, pingLogLimit }) => [id, String(pingLogLimit), { name }])
  print(projects.map(represent), [{ rows: [['ID', 'PINGS KEPT', 'NAME'], ...rows] }])
}

/** Runs `overdue project set`. */
export async function set({ openDeps, argument: idOrName, values, print }: Context): Promise<undefined> {
  const { 'ping-log-limit': limit, search, tz } = values
  if (limit === undefined && search === undefined && tz === undefined) {
    throw optionError('nothing to set', 'use --ping-log-limit N, --search on|off or --tz ZONE')
  }
  if (search !== undefined && !ON_OFF.some((choice) => choice === search)) {
    throw optionError(`unknown value "${search}" of --search`, 'use on or off')
  }
  const zone = tz === undefined || tz === NO_ZONE ? null : readZone(String(tz))
  const deps = await openDeps()
  let project = await getProject(deps, idOrName)
  if (limit !== undefined) project = await setPingLogLimit(deps, operatorIn(project), Number(limit))
  if (search !== undefined) project = await setSearch(deps, operatorIn(project), search === 'on')
  if (tz !== undefined) project = await setTimeZone(deps, operatorIn(project), zone)
  const kept = `${oneLine(project.name)} keeps ${project.pingLogLimit} pings per check`
  const searched = `their bodies are ${project.isSearched ? '' : 'not '}searchable`
  const zones = project.tz === null ? 'the zone of each check' : project.tz
  print(represent(project), `${kept}, ${searched}, and times in its alerts are in ${zones}`)
}

/** Runs `overdue project delete`. */
export async function remove({ openDeps, argument: idOrName, print, confirm }: Context): Promise<ExitStatus> {
  const deps = await openDeps()
  const project = await getProject(deps, idOrName)
  const { checks } = await countContents(deps, operatorIn(project))
  const name = oneLine(project.name)
  const question = `Delete the project ${name} with ${checks} ${checks === 1 ? 'check' : 'checks'} and all logs?`
  if (!confirm(question)) return 1
  await deleteProject(deps, operatorIn(project))
  print(represent(project), `deleted ${name}`)
}

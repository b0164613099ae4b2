/** `overdue project …` */
import { operatorIn } from '../../domain/actor.ts'
import type { Project } from '../../domain/project.ts'
import { oneLine } from '../../lib/text.ts'
import { needsFirstAccount } from '../../services/accounts/first-account.ts'
import { deleteProject } from '../../services/project-deletion.ts'
import {
  countContents,
  createProject,
  type FreshKeys,
  getProject,
  listProjects,
  setPingLogLimit,
  setSearch,
} from '../../services/projects.ts'
import type { Command } from '../command.ts'
import { shellWord } from '../hints.ts'
import { optionError } from '../usage.ts'

const represent = ({ id, name, pingLogLimit, isSearched }: Project) => ({
  id,
  name,
  ping_log_limit: pingLogLimit,
  search: isSearched,
})

const ON_OFF = ['on', 'off'] as const

export function representKeys({ apiKey, apiKeyReadonly, pingKey }: FreshKeys) {
  return { api_key: apiKey, api_key_readonly: apiKeyReadonly, ping_key: pingKey }
}

export const projectCommands: readonly Command[] = [
  {
    words: 'project create',
    takes: ['NAME'],
    summary: 'create a project and its keys (shown once)',
    example: 'overdue project create Backups',
    createsDatabase: true,
    async run({ openDeps, positionals: [name = ''], print }) {
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
            ? 'The project belongs to no one; the first account will own it.'
            : `The project belongs to no one until you add a member: \`overdue project member add ${shellWord(oneLine(project.name))} EMAIL --role owner\``,
        ].join('\n'),
      )
    },
  },
  {
    words: 'project list',
    summary: 'list the projects',
    example: 'overdue project list',
    async run({ openDeps, print }) {
      const projects = await listProjects(await openDeps())
      const rows = projects.map(({ id, name, pingLogLimit }) => [id, String(pingLogLimit), name])
      print(projects.map(represent), [{ rows: [['ID', 'PINGS KEPT', 'NAME'], ...rows] }])
    },
  },
  {
    words: 'project set',
    takes: ['PROJECT'],
    usage: '[--ping-log-limit N] [--search on|off]',
    summary: 'set how many pings are kept for each check, 1 to 1000, and whether their bodies are searched',
    example: 'overdue project set Default --ping-log-limit 500',
    options: { 'ping-log-limit': { type: 'string' }, search: { type: 'string', choices: ON_OFF } },
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const { 'ping-log-limit': limit, search } = values
      if (limit === undefined && search === undefined) {
        throw optionError('nothing to set', 'use --ping-log-limit N or --search on|off')
      }
      if (search !== undefined && !ON_OFF.some((choice) => choice === search)) {
        throw optionError(`unknown value "${search}" of --search`, 'use on or off')
      }
      const deps = await openDeps()
      let project = await getProject(deps, idOrName)
      if (limit !== undefined) project = await setPingLogLimit(deps, operatorIn(project), Number(limit))
      if (search !== undefined) project = await setSearch(deps, operatorIn(project), search === 'on')
      const kept = `${oneLine(project.name)} keeps ${project.pingLogLimit} pings per check`
      print(represent(project), `${kept}, and their bodies are ${project.isSearched ? '' : 'not '}searched`)
    },
  },
  {
    words: 'project delete',
    takes: ['PROJECT'],
    usage: '[--yes]',
    summary: 'delete a project with its checks, logs, integrations and keys',
    details: 'On a terminal, it asks first unless --yes is given. If it is interrupted, run it again.',
    example: 'overdue project delete Default --yes',
    options: { yes: { type: 'boolean' } },
    async run({ openDeps, positionals: [idOrName = ''], values, print, confirm }) {
      const deps = await openDeps()
      const project = await getProject(deps, idOrName)
      const { checks } = await countContents(deps, operatorIn(project))
      const name = oneLine(project.name)
      const question = `Delete the project ${name} with ${checks} ${checks === 1 ? 'check' : 'checks'} and all logs?`
      if (!values.yes && !confirm(question)) return 1
      await deleteProject(deps, operatorIn(project))
      print(represent(project), `deleted ${name}`)
    },
  },
]

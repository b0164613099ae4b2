/** `overdue project …` */
import { UserError } from '../domain/errors.ts'
import type { Project } from '../domain/project.ts'
import { oneLine } from '../domain/text.ts'
import { createProject, getProject, listProjects, setPingLogLimit } from '../services/projects.ts'
import { type Command, table } from './command.ts'

const represent = ({ id, name, pingLogLimit }: Project) => ({ id, name, ping_log_limit: pingLogLimit })

export const projectCommands: readonly Command[] = [
  {
    words: 'project create',
    usage: 'NAME',
    summary: 'make a project with its keys, which are shown only now',
    makesDatabase: true,
    positionals: 1,
    async run({ openDeps, positionals: [name = ''], print }) {
      const { project, keys } = await createProject(await openDeps(), name)
      print(
        {
          id: project.id,
          name: project.name,
          api_key: keys.apiKey,
          api_key_readonly: keys.apiKeyReadonly,
          ping_key: keys.pingKey,
          channels: [],
        },
        [
          `project             ${oneLine(project.name)} (${project.id})`,
          `API key             ${keys.apiKey}`,
          `API key, read-only  ${keys.apiKeyReadonly}`,
          `ping key            ${keys.pingKey}`,
          'The API keys are stored as hashes: keep them now, they cannot be shown again.',
        ].join('\n'),
      )
    },
  },
  {
    words: 'project list',
    usage: '',
    summary: 'show all projects',
    positionals: 0,
    async run({ openDeps, print }) {
      const projects = await listProjects(await openDeps())
      const rows = projects.map(({ id, name, pingLogLimit }) => [id, String(pingLogLimit), name])
      print(projects.map(represent), table([['ID', 'PINGS KEPT', 'NAME'], ...rows]))
    },
  },
  {
    words: 'project set',
    usage: 'PROJECT --ping-log-limit N',
    summary: 'change how many pings per check are kept, 1 to 1000',
    options: { 'ping-log-limit': { type: 'string' } },
    positionals: 1,
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const limit = values['ping-log-limit']
      if (limit === undefined) throw new UserError('nothing to set', 'give --ping-log-limit N')
      const deps = await openDeps()
      const project = await setPingLogLimit(deps, await getProject(deps, idOrName), Number(limit))
      print(represent(project), `${oneLine(project.name)} keeps ${project.pingLogLimit} pings per check`)
    },
  },
]

/** The people, projects and integrations of the demo. */
import type { Role } from '../../src/domain/account/role.ts'
import { OPERATOR, type PersonActor, personIn } from '../../src/domain/actor.ts'
import type { Project } from '../../src/domain/project.ts'
import { createAccount, setPreferences } from '../../src/services/accounts/accounts.ts'
import { personOf } from '../../src/services/accounts/sign-in/sessions.ts'
import { type ChannelRequest, createChannel } from '../../src/services/channels/channels.ts'
import type { Deps } from '../../src/services/common/deps.ts'
import { setMember } from '../../src/services/projects/members.ts'
import { createOwnProject } from '../../src/services/projects/projects.ts'
import { PROJECTS, type ProjectName } from './job.ts'

/** Account of the link that the demo prints. */
export const OWNER = 'marta@harbourbooks.example'
const JANIS = 'janis@harbourbooks.example'
const INES = 'ines@harbourbooks.example'
const OFFICE_ADDRESS = '192.0.2.5'

const MEMBERS: Readonly<Record<ProjectName, readonly (readonly [email: string, role: Role])[]>> = {
  'Harbour Books': [
    [JANIS, 'member'],
    [INES, 'read-only'],
  ],
  Warehouse: [[JANIS, 'manager']],
  Office: [[INES, 'read-only']],
}

export interface Company {
  project(name: ProjectName): Project
  /** Returns a member of the company as actor. @throws Error for an unknown email */
  actor(email: string, project: Project): Promise<PersonActor>
}

/** @param receiver `http://127.0.0.1:9000`, target of all integrations */
export async function found(deps: Deps, receiver: string): Promise<Company> {
  for (const email of [OWNER, JANIS, INES]) {
    const { account } = await createAccount(deps, OPERATOR, email, email === OWNER)
    const preferences = { tz: 'Europe/Riga', theme: 'system', hasShortcuts: true } as const
    await setPreferences(deps, personOf(account, OFFICE_ADDRESS), preferences)
  }
  const person = async (email: string) => {
    const account = await deps.store.accounts.find(email)
    if (!account) throw new Error(`the demo has no account of ${email}`)
    return { account, person: personOf(account, OFFICE_ADDRESS) }
  }
  const owner = (await person(OWNER)).person
  const projects = new Map<ProjectName, Project>()
  for (const name of PROJECTS) {
    const project = await createOwnProject(deps, owner, name)
    projects.set(name, project)
    const actor = { project, by: { ...owner, role: 'owner' } } as const
    for (const [email, role] of MEMBERS[name]) await setMember(deps, actor, email, role)
    for (const channel of channelsOf(receiver)[name]) await createChannel(deps, actor, channel)
  }
  return {
    project(name) {
      const project = projects.get(name)
      if (!project) throw new Error(`the demo has no project ${name}`)
      return project
    },
    async actor(email, project) {
      const { account, person: by } = await person(email)
      const members = await deps.store.team.listMembers(project.id)
      const actor = personIn(project, by, members.find(({ accountId }) => accountId === account.id)?.role ?? null)
      if (!actor) throw new Error(`${email} has no place in ${project.name}`)
      return actor
    },
  }
}

/** Path of the integration that was broken for some hours this night. */
export const STATUS_BOARD = '/status-board'

function channelsOf(receiver: string): Readonly<Record<ProjectName, readonly ChannelRequest[]>> {
  const email = (value: string, mailings: object = {}): ChannelRequest => ({
    kind: 'email',
    name: value,
    settings: { value, ...mailings },
  })
  return {
    'Harbour Books': [
      { kind: 'mattermost', name: 'Shop on call', settings: `${receiver}/hooks/shop-on-call` },
      {
        ...email('ops@harbourbooks.example', { report: 'weekly', reminder: 'daily', tz: 'Europe/Riga' }),
        quietHours: { schedule: '0 22 * * *', tz: 'Europe/Riga', seconds: 9 * 3_600, upTo: 'down' },
      },
      { kind: 'webhook', name: 'Status board', settings: { url: `${receiver}${STATUS_BOARD}` } },
    ],
    Warehouse: [
      {
        kind: 'ntfy',
        name: 'Warehouse phones',
        settings: { url: `${receiver}/ntfy`, topic: 'warehouse', priority: 4, priority_up: 3 },
      },
      email('warehouse@harbourbooks.example'),
    ],
    Office: [
      { kind: 'gotify', name: 'IT phone', settings: { url: `${receiver}/gotify`, token: 'AbCdEfGhIjKlMnO' } },
      email('it@harbourbooks.example'),
    ],
  }
}

/** What the door asks about people. Who is signed in, and what they may see, is read at every request. */
import type { Person, PersonActor } from '../../domain/actor.ts'
import type { Sockets } from '../client.ts'
import type { ProjectLink } from './layout/frame.ts'
import type { Identity } from './route.ts'

/** @param sockets null when the request did not come over a socket @returns null when nobody is signed in */
export type Identify = (request: Request, sockets: Sockets | null) => Promise<Identity | null>

export interface People {
  readonly identify: Identify
  /** @returns null for a project that does not exist, and for one that the person may not know of */
  findProject(person: Person, slug: string): Promise<PersonActor | null>
  /** The projects that the person may see, in the order of the switcher. */
  listProjects(person: Person): Promise<readonly ProjectLink[]>
}

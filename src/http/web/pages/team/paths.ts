/** The team pages' paths, below `/p/<project>/`. */
import { projectPath } from '../../href.ts'

export const TEAM = 'team'
export const INVITATIONS = `${TEAM}/invitations`
export const REVOKE = `${INVITATIONS}/revoke`
export const INVITED = `${INVITATIONS}/created`
export const MEMBERS = `${TEAM}/members`
export const LEAVE = `${TEAM}/leave`
export const OWNERSHIP = `${TEAM}/ownership`
export const ACCEPT = `${OWNERSHIP}/accept`
export const END = `${OWNERSHIP}/end`

export function memberPath(slug: string, accountId: string): string {
  return projectPath(slug, `${MEMBERS}/${accountId}`)
}

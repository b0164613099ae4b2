/** Reads the secrets and badge signatures that imported projects still use from their former servers. */

import type { ImportedSecret } from '../interface/imports.ts'
import type { Sql } from '../sql/database.ts'

const SECRETS = `
  SELECT imported_secrets.project_id AS "projectId", projects.badge_key AS "badgeKey", imported_secrets.secret
  FROM imported_secrets JOIN projects ON projects.id = imported_secrets.project_id
  ORDER BY imported_secrets.project_id, imported_secrets.secret`

export function listImportedSecrets(sql: Sql): Promise<ImportedSecret[]> {
  return sql.all<ImportedSecret>(SECRETS, [])
}

const SIGNATURES = `
  SELECT signature FROM imported_badges
  WHERE project_id = (SELECT id FROM projects WHERE badge_key = $1) AND tag = $2 ORDER BY signature`

/** Lists the signatures with which the former server published a tag's badge: see `ImportedBadge`. */
export async function listBadgeSignatures(sql: Sql, projectBadgeKey: string, tag: string): Promise<string[]> {
  const rows = await sql.all<{ signature: string }>(SIGNATURES, [projectBadgeKey, tag])
  return rows.map(({ signature }) => signature)
}

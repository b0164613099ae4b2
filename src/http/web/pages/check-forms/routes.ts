/** The routes for the forms that create, change, move and delete a check. */
import type { PageDeps } from '../../page.ts'
import type { Route } from '../../route.ts'
import { checkFormRoutes } from './check-form.ts'
import { clearForm } from './clear.ts'
import { copyForm } from './copy.ts'
import { crontabRoutes } from './crontab/routes.ts'
import { deleteForm } from './delete.ts'
import { editRoutes } from './edit/routes.ts'
import { newCheckRoutes } from './new.ts'
import { transferForm } from './transfer.ts'

export function checkFormsRoutes(deps: PageDeps): readonly Route[] {
  const forms = [copyForm, transferForm, clearForm, deleteForm]
  return [
    ...newCheckRoutes(deps),
    ...crontabRoutes(deps),
    ...forms.flatMap((form) => checkFormRoutes(deps, form(deps))),
    ...editRoutes(deps),
  ]
}

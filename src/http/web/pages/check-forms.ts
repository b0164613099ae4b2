/** The forms that make, change, move and delete one check. */
import type { Deps } from '../../../services/common/deps.ts'
import type { Route } from '../route.ts'
import { checkFormRoutes } from './check-forms/check-form.ts'
import { clearForm } from './check-forms/clear.ts'
import { copyForm } from './check-forms/copy.ts'
import { deleteForm } from './check-forms/delete.ts'
import { editForm } from './check-forms/edit.ts'
import { newCheckRoutes } from './check-forms/new.ts'
import { rulesRoutes } from './check-forms/rules.ts'
import { scheduleRoutes } from './check-forms/schedule.ts'
import { transferForm } from './check-forms/transfer.ts'

export function checkFormsRoutes(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'transports' | 'log' | 'onPrunable' | 'eventLoop'>,
): readonly Route[] {
  const forms = [editForm, copyForm, transferForm, clearForm, deleteForm]
  return [
    ...newCheckRoutes(deps),
    ...forms.flatMap((form) => checkFormRoutes(deps, form(deps))),
    ...scheduleRoutes(deps),
    ...rulesRoutes(deps),
  ]
}

//! Makes every call of the crate `healthchecks` in version 3 of the API.
use healthchecks::manage::{get_client_with_url, UpsertResult};
use healthchecks::model::{NewCheck, UpdatedCheck};
use healthchecks::ping;
use std::env::var;

fn main() {
    let base = var("BASE").unwrap();
    let api = get_client_with_url(var("API_KEY").unwrap(), None, format!("{base}/api/v3")).unwrap();
    let new_check = NewCheck {
        name: Some("rust".into()),
        tags: Some("rust".into()),
        timeout: Some(3600),
        grace: Some(60),
        unique: Some(vec!["name".into()]),
        ..NewCheck::default()
    };
    let (made, check) = api.upsert_check(new_check.clone()).unwrap();
    assert!(matches!(made, UpsertResult::Created));
    let (found, _) = api.upsert_check(new_check).unwrap();
    assert!(matches!(found, UpsertResult::Updated));
    let id = check.id().unwrap();

    let pings = ping::get_client_with_url(&id, &format!("{base}/ping")).unwrap();
    assert!(pings.start_timer() && pings.report_success() && pings.report_failure_with_logs("boom"));
    assert_eq!(api.list_logged_pings(&id).unwrap().len(), 3);
    assert_eq!(api.list_status_changes(&id).unwrap().len(), 2);
    assert_eq!(api.get_check(&id).unwrap().n_pings, 3);
    assert!(api.get_checks().unwrap().iter().any(|check| check.name == "rust"));
    api.get_channels().unwrap();
    let update = UpdatedCheck { desc: Some("nightly".into()), ..UpdatedCheck::default() };
    assert_eq!(api.update_check(update, &id).unwrap().desc, "nightly");
    assert_eq!(api.pause(&id).unwrap().status, "paused");
    assert_eq!(api.delete(&id).unwrap().name, "rust");
    println!("passed");
}

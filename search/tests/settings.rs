use search::{Algorithm, GumbelSettings, PuctSettings, SearchSettings};

#[test]
fn defaults_are_possible_and_survive_a_round_trip() {
    let puct = Algorithm::Puct(PuctSettings::default());
    for algorithm in [Algorithm::default(), puct] {
        let settings = SearchSettings { algorithm, ..SearchSettings::default() };
        settings.check().expect("defaults are possible");
        let text = toml::to_string(&settings).expect("settings are a table");
        assert_eq!(toml::from_str(&text), Ok(settings), "{text}");
    }
    assert_eq!(
        toml::from_str("[algorithm.puct]"),
        Ok(SearchSettings { algorithm: puct, ..SearchSettings::default() })
    );
}

#[test]
fn unknown_keys_are_refused() {
    for text in ["visits = 3", "[algorithm.gumbel]\nc_puct = 1.0", "[algorithm.uct]"] {
        assert!(toml::from_str::<SearchSettings>(text).is_err(), "{text}");
    }
}

#[test]
fn impossible_values_are_named() {
    let gumbel = |gumbel| Algorithm::Gumbel(gumbel);
    let with = |algorithm| SearchSettings { algorithm, ..SearchSettings::default() };
    let default = GumbelSettings::default();
    let cases = [
        (
            SearchSettings { simulations: 0, ..SearchSettings::default() },
            "simulations: expected 1 or more, found 0",
        ),
        (
            SearchSettings { tree_bytes: 1_000, ..SearchSettings::default() },
            "tree_bytes: expected 65536 to 34359738368, found 1000",
        ),
        (
            SearchSettings { leaves: 0, ..SearchSettings::default() },
            "leaves: expected 1 to 1024, found 0",
        ),
        (
            with(gumbel(GumbelSettings { considered: 0, ..default })),
            "algorithm.gumbel.considered: expected 1 or more, found 0",
        ),
        (
            with(gumbel(GumbelSettings { c_scale: f32::NAN, ..default })),
            "algorithm.gumbel.c_scale: expected a number above 0, found NaN",
        ),
        (
            with(gumbel(GumbelSettings { c_visit: -0.1, ..default })),
            "algorithm.gumbel.c_visit: expected 0 or more, found -0.1",
        ),
        (
            with(Algorithm::Puct(PuctSettings { noise_share: 1.5, ..PuctSettings::default() })),
            "algorithm.puct.noise_share: expected 0 to 1, found 1.5",
        ),
    ];
    for (settings, message) in cases {
        let error = settings.check().expect_err(message);
        assert_eq!(error.to_string(), message);
    }
}

//! The methods of all drivers that a catalog may name.

use crate::error::{CatalogError, Origin, Problem};
use crate::manifest::DriverManifest;
use crate::suggestion::nearest;
use fathom_model::{MethodDescription, MethodId, Operation};

/// The methods of several drivers, in the order of the manifests.
#[derive(Debug, Clone, Default)]
pub struct MethodRegistry {
    drivers: Vec<DriverManifest>,
}

impl MethodRegistry {
    /// A registry of these drivers; two of one name are refused.
    pub fn new(drivers: Vec<DriverManifest>) -> Result<Self, CatalogError> {
        for (at, driver) in drivers.iter().enumerate() {
            if drivers[..at].iter().any(|earlier| earlier.name == driver.name) {
                let problem = Problem::Repeated("driver", driver.name.clone());
                return Err(CatalogError::new(&Origin::Unstated, problem, None));
            }
        }
        Ok(Self { drivers })
    }

    /// The drivers.
    pub fn drivers(&self) -> &[DriverManifest] {
        &self.drivers
    }

    /// The driver of this name.
    pub fn driver(&self, name: &str) -> Option<&DriverManifest> {
        self.drivers.iter().find(|driver| driver.name == name)
    }

    /// The description of a method.
    pub fn find(&self, id: &MethodId) -> Option<&MethodDescription> {
        self.driver(&id.driver)?.method(&id.name)
    }

    /// Every method, driver by driver.
    pub fn methods(&self) -> impl Iterator<Item = (MethodId, &MethodDescription)> {
        self.drivers.iter().flat_map(|driver| {
            driver.methods.iter().map(|method| (MethodId::new(&driver.name, &method.name), method))
        })
    }

    /// The methods that perform an operation, `null` among them.
    pub fn methods_of(&self, operation: Operation) -> Vec<MethodId> {
        self.methods()
            .filter(|(_, method)| method.operations.contains(&operation))
            .map(|(id, _)| id)
            .collect()
    }

    /// True when the method exists and performs the operation.
    pub fn performs(&self, id: &MethodId, operation: Operation) -> bool {
        self.find(id).is_some_and(|method| method.operations.contains(&operation))
    }

    /// The method nearest to a mistaken one: `go:os.Opne` is near `go:os.Open`,
    /// and so is `os.Open`. Those that perform `operation` come first.
    pub fn nearest(&self, mistaken: &str, operation: Option<Operation>) -> Option<MethodId> {
        let name = mistaken.split_once(':').map_or(mistaken, |(_, name)| name);
        let mut candidates: Vec<_> = self.methods().collect();
        // A stable sort: within each half the order of the manifests stays.
        candidates
            .sort_by_key(|(_, method)| operation.is_some_and(|wanted| !method.operations.contains(&wanted)));
        let full: Vec<String> = candidates.iter().map(|(id, _)| id.to_string()).collect();
        let bare: Vec<&str> = candidates.iter().map(|(id, _)| id.name.as_str()).collect();
        // The right name under the wrong driver is nearer than any similar name.
        let exact = bare.iter().position(|bare| *bare == name);
        let similar = || {
            nearest(mistaken, full.iter().map(String::as_str)).and_then(|f| full.iter().position(|x| x == f))
        };
        let similar_bare =
            || nearest(name, bare.iter().copied()).and_then(|f| bare.iter().position(|x| *x == f));
        exact.or_else(similar).or_else(similar_bare).map(|at| candidates[at].0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixture::registry;

    #[test]
    fn methods_are_found_by_driver_and_name() {
        let registry = registry();
        assert!(registry.find(&MethodId::new("go", "os.Open")).is_some());
        assert!(registry.find(&MethodId::new("native", "os.Open")).is_none());
        assert!(registry.performs(&MethodId::new("go", "os.Open"), Operation::OpenClose));
        assert!(!registry.performs(&MethodId::new("go", "os.Open"), Operation::ReadWhole));
        let first = &registry.methods_of(Operation::ReadBlock)[..2];
        assert_eq!(first, [MethodId::new("native", "null"), MethodId::new("native", "read")]);
    }

    #[test]
    fn the_nearest_method_is_offered() {
        let registry = registry();
        let near = |text| registry.nearest(text, Some(Operation::OpenClose)).map(|id| id.to_string());
        assert_eq!(near("go:os.Opne").as_deref(), Some("go:os.Open"));
        assert_eq!(near("os.Open").as_deref(), Some("go:os.Open"));
        assert_eq!(near("go:fopen").as_deref(), Some("native:fopen"));
        assert_eq!(near("rust:File::open").as_deref(), Some("native:File::open"));
        assert_eq!(near("go:completely.Different"), None);
        let misspelt = registry.nearest("go:mmpa", Some(Operation::ReadBlock));
        assert_eq!(misspelt, Some(MethodId::new("go", "mmap")), "the driver counts too");
    }

    #[test]
    fn a_method_that_performs_the_operation_is_nearer() {
        let driver = |name: &str, operation| DriverManifest {
            name: name.to_owned(),
            methods: vec![MethodDescription {
                name: "slurp".to_owned(),
                operations: vec![operation],
                does: String::new(),
                unavailable: None,
                takes: Vec::new(),
                flaw: None,
            }],
            ..registry().drivers()[0].clone()
        };
        let drivers = vec![driver("a", Operation::OpenClose), driver("b", Operation::ReadWhole)];
        let registry = MethodRegistry::new(drivers).unwrap();
        let near = |operation| registry.nearest("slurp", Some(operation)).map(|id| id.driver);
        assert_eq!(near(Operation::OpenClose).as_deref(), Some("a"));
        assert_eq!(near(Operation::ReadWhole).as_deref(), Some("b"));
    }

    #[test]
    fn one_name_for_two_drivers_is_refused() {
        let driver = registry().drivers()[0].clone();
        let error = MethodRegistry::new(vec![driver.clone(), driver]).unwrap_err();
        assert_eq!(error.to_string(), "driver `native` is listed twice");
    }
}

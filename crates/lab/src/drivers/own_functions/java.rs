//! The driver of a user's Java class, which is compiled and loaded apart from the driver's own
//! (`drivers/own/java_own.java`).

use super::kit::{Prepared, Refusal, UserFile, files_of, replaced};
use super::leaked;
use crate::drivers::build_system::JAVA_FOLDER;
use crate::drivers::driver_source::{BuildSystem, DriverSource};

const TABLE: &str = "static final List<Method> ALL = List.of(";
const END: &str = "    private Methods() {}";

pub(super) fn java(shipped: &DriverSource, user: UserFile<'_>) -> Result<Prepared, Refusal> {
    let class = user.name.trim_end_matches(".java");
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    if class.is_empty() || !class.chars().all(is_name) {
        return Err(Refusal::File("a Java file is named as its class, like Ways.java".to_owned()));
    }
    let mut files = files_of(shipped);
    for (name, text) in &mut files {
        if name == "Methods.java" {
            *text = replaced(text, TABLE, "private static final List<Method> KIT = List.of(");
            *text = replaced(text, END, &format!("    {TABLE_OF_OWN}\n\n{END}"));
        }
    }
    let own = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    files.push(own("Own.java", include_str!("../../../../../drivers/own/java_own.java")));
    files.push(own("OwnAnswer.java", include_str!("../../../../../drivers/own/java_answer.java")));
    files.push(own(
        "OwnClass.java",
        &format!(
            "final class OwnClass {{\n    static final String NAME = \"{class}\";\n    static final String PLACE = \"{}\";\n}}\n",
            user.place
        ),
    ));
    let lookup = include_str!("../../../../../drivers/own/java_lookup.java");
    files.push(own(&format!("{JAVA_FOLDER}/FathomLookup.java"), lookup));
    files.push((format!("{JAVA_FOLDER}/{}", user.name), user.text.to_owned()));
    let mut source = leaked("own-java", files, shipped);
    source.build_system = BuildSystem::OwnJava;
    Ok((source, Vec::new()))
}

const TABLE_OF_OWN: &str = "static final List<Method> ALL = Own.methods(KIT);";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::driver_source::SHIPPED;

    #[test]
    fn the_java_driver_takes_the_users_table_and_its_class_has_a_folder() {
        let shipped = SHIPPED.iter().find(|source| source.name == "java").unwrap();
        let user = UserFile { name: "Ways.java", place: "/Ways.java", text: "class Ways {}" };
        let Ok((source, _)) = java(shipped, user) else { panic!("it is prepared") };
        let text = |name| source.files.iter().find(|(known, _)| *known == name).unwrap().1;
        assert!(
            text("Methods.java").contains(TABLE_OF_OWN) && text("Methods.java").contains("> KIT = List.of(")
        );
        assert_eq!(text("own_source/Ways.java"), "class Ways {}");
        let user = UserFile { name: "my-ways.java", ..user };
        assert!(matches!(java(shipped, user), Err(Refusal::File(_))));
    }
}

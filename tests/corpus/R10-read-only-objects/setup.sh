mkdir objects
